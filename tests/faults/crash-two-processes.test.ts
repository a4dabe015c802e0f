/**
 * Two servers on one database, one of them killed at random moments again and again: nothing is lost,
 * no lead is sent by both at once, and each has its effect once. `TEST_SEED=<n>` repeats the choices.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { stopTestPostgres, type TestDatabase, withDatabase } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type ServerProcess, startServerProcess } from './crash-server.ts';
import { createVisitors } from './crash-visitors.ts';
import { until } from './delivery-fixture.ts';

const KILLS = 10;
const LEADS_PER_ROUND = 20;

let sandbox: Sandbox;
let database: TestDatabase;
let dataDir: string;
const servers: [ServerProcess | undefined, ServerProcess | undefined] = [undefined, undefined];

beforeAll(async () => {
  sandbox = await startSandbox();
  dataDir = await mkdtemp(path.join(tmpdir(), 'funnel-two-'));
});
beforeEach(async () => {
  sandbox.reset();
  database = await withDatabase();
});
afterEach(async () => {
  for (const server of servers.splice(0, 2, undefined, undefined)) await server?.stop();
  await database.drop();
});
afterAll(async () => {
  await sandbox.close();
  await stopTestPostgres();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): Promise<ServerProcess> {
  const { lpCampaignId, lpSupplierId, lpKey } = sandbox.credentials;
  return startServerProcess(dataDir, {
    DATABASE_URL: database.connectionString,
    INGEST_URL: sandbox.url,
    INGEST_CAMPAIGN_ID: lpCampaignId,
    INGEST_SUPPLIER_ID: lpSupplierId,
    INGEST_KEY: lpKey,
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    LEADS_PER_ADDRESS_PER_HOUR: '0',
    EMAIL_MX_LOOKUP: 'off',
  });
}

test(`${KILLS} kills of one of two servers lose and double nothing`, async () => {
  const random = seededRandom('crash, two processes');
  servers[0] = await start();
  servers[1] = await start();
  // Visitors are sent to whichever is there, in turn.
  let turn = 0;
  const visitors = createVisitors(() => {
    turn += 1;
    return (servers[turn % 2] ?? servers[(turn + 1) % 2])?.url;
  });
  try {
    const posts: Promise<void>[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Sends take a while, so that kills come in the middle of them.
      sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms: random.integer(20, 400) });
      for (let index = 0; index < LEADS_PER_ROUND; index += 1) {
        posts.push(sleep(random.integer(0, 800)).then(() => visitors.post()));
      }
      await sleep(random.integer(50, 900));
      const index = random.integer(0, 2) as 0 | 1;
      const victim = servers[index];
      servers[index] = undefined;
      await victim?.killTree();
      servers[index] = await start();
    }
    sandbox.recover();
    await Promise.all(posts);
    const total = KILLS * LEADS_PER_ROUND;
    expect(visitors.acknowledged.size).toBe(total);

    // A lease runs out 15 s after its worker's death, and its job comes back soon after.
    await until(async () => {
      const { rows } = await database.pool.query<{ delivered: number }>(
        `select count(*)::int as delivered from deliveries where state = 'delivered'`,
      );
      return rows[0]?.delivered === total;
    }, 60_000);
    const { rows } = await database.pool.query<{ leads: number; attempts: number; lost: number }>(
      `select (select count(*)::int from leads) as leads, count(*)::int as attempts,
         (count(*) filter (where outcome = 'unknown'))::int as lost
       from delivery_attempts`,
    );
    console.log(`${KILLS} kills: ${JSON.stringify(rows[0])}`);
    expect(rows[0]?.leads).toBe(total);
    const effects = sandbox.effects();
    expect(effects.map((effect) => effect.detail.lead_id).sort()).toEqual(
      [...visitors.acknowledged].sort(),
    );
    expect(effects.every((effect) => effect.count === 1)).toBe(true);
    expect(sandbox.received('ingest').filter((request) => request.overlapped)).toEqual([]);
    expect(sandbox.violations()).toEqual([]);
  } finally {
    visitors.stop();
  }
}, 240_000);

test('a server that is frozen past its leases and then thawed changes nothing', async () => {
  const total = 20;
  servers[0] = await start();
  servers[1] = await start();
  const [frozen] = servers;
  const visitors = createVisitors(() => frozen?.url);
  try {
    sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms: 1_500 });
    await Promise.all(Array.from({ length: total }, () => visitors.post()));
    await until(async () => sandbox.received('ingest').length > 0, 10_000);
    frozen.freeze();
    // The other one takes over what was being sent, when the leases have run out.
    await until(async () => {
      const { rows } = await database.pool.query<{ delivered: number }>(
        `select count(*)::int as delivered from deliveries where state = 'delivered'`,
      );
      return rows[0]?.delivered === total;
    }, 90_000);
    const ledger = async () => {
      const { rows } = await database.pool.query(
        'select * from deliveries join delivery_attempts on delivery_id = id order by id, attempt',
      );
      return rows;
    };
    const before = await ledger();
    frozen.thaw();
    // It reads the answers that came while it was frozen, and writes what it makes of them.
    await sleep(4_000);
    expect(await ledger()).toEqual(before);
    const lost = before.filter((attempt) => attempt.outcome === 'unknown').length;
    console.log(`${lost} sends were under way in the frozen server`);
    expect(lost).toBeGreaterThan(0);
    expect(sandbox.effects()).toHaveLength(total);
    expect(sandbox.effects().every((effect) => effect.count === 1)).toBe(true);
    expect(sandbox.received('ingest').filter((request) => request.overlapped)).toEqual([]);
  } finally {
    frozen.thaw();
    visitors.stop();
  }
}, 180_000);
