/** Kills or freezes one of two servers that share a database. Each lead must be delivered once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { settingsOf } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { forgetLeads, until } from '../support/delivery.ts';
import { databaseForTests } from '../support/own-database.ts';
import { testPersonSecret } from '../support/person-keys.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  createVisitors,
  overlapsAt,
  type ServerProcess,
  sendingTo,
  startServerProcess,
} from '../support/server-process.ts';

const KILLS = 10;
const LEADS_PER_ROUND = 15;
const FROZEN_LEADS = 10;

const sandbox = await startSandbox();
const { pool, connectionString } = await databaseForTests(forgetLeads);
const base = await mkdtemp(path.join(tmpdir(), 'funnel-two-'));
const started: ServerProcess[] = [];
beforeEach(() => sandbox.reset());
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});
afterAll(async () => {
  await sandbox.close();
  await rm(base, { recursive: true, force: true });
});

/** Starts a server that sends to the ingest service. `more` are additional settings. */
async function start(more: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const server = await startServerProcess(await mkdtemp(path.join(base, 'data-')), {
    DATABASE_URL: connectionString,
    PERSON_KEY_SECRET: testPersonSecret,
    ...sendingTo(sandbox),
    ...more,
    EMAIL_MX_LOOKUP: 'off',
  });
  started.push(server);
  return server;
}

/** Waits until the sandbox, which runs in this process, has handled all received data. */
async function sandboxIsUpToDate(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await (await fetch(sandbox.url)).arrayBuffer();
}

test(`two servers deliver each lead exactly once although one server is killed ${KILLS} times`, async () => {
  const random = seededRandom('crash, two processes');
  const more = { ...settingsOf('exchange', sandbox.url), ...settingsOf('webhook', sandbox.url) };
  const servers: (ServerProcess | undefined)[] = [await start(more), await start(more)];
  // The posts alternate between the two servers unless one server is down.
  let turn = 0;
  const visitors = createVisitors(() => {
    turn += 1;
    return (servers[turn % 2] ?? servers[(turn + 1) % 2])?.url;
  });
  try {
    const posts: Promise<void>[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Delays the answers of the destinations, so that kills interrupt deliveries.
      for (const service of ['ingest', 'exchange', 'webhook'] as const) {
        sandbox.fail({ service, mode: 'slow', delay_ms: random.integer(20, 400) });
      }
      for (let index = 0; index < LEADS_PER_ROUND; index += 1) {
        posts.push(sleep(random.integer(0, 800)).then(() => visitors.post()));
      }
      await sleep(random.integer(50, 900));
      const index = random.integer(0, 2);
      const victim = servers[index];
      if (victim === undefined) throw new Error('No server runs in this place');
      servers[index] = undefined;
      await victim.killTree();
      await sandboxIsUpToDate();
      // Ends the killed server's leases at once, so that the other server can take over its
      // deliveries.
      await pool.query(
        `update deliveries set due_at = now() where state = 'sending' and lease_owner like $1`,
        [`${victim.pid}-%`],
      );
      servers[index] = await start(more);
    }
    sandbox.recover();
    await Promise.all(posts);
    const total = KILLS * LEADS_PER_ROUND;
    expect(visitors.acknowledged.size).toBe(total);

    await until(async () => {
      const { rows } = await pool.query<{ open: number }>(
        `select count(*)::int as open from deliveries
         where state in ('waiting', 'sending', 'retrying')`,
      );
      return rows[0]?.open === 0;
    });
    const { rows } = await pool.query('select count(*)::int as leads from leads');
    expect(rows).toEqual([{ leads: total }]);
    const effects = sandbox.effects();
    expect(effects.map((effect) => effect.detail.lead_id).sort()).toEqual(
      [...visitors.acknowledged].sort(),
    );
    expect(effects.every((effect) => effect.count === 1)).toBe(true);
    expect(overlapsAt(sandbox)).toEqual([]);

    // The exchange does not recognise duplicates, so the server must not repeat a delivery to the
    // exchange if the outcome is unknown.
    const { rows: states } = await pool.query<{ state: string; count: number }>(
      `select destination || ' ' || state as state, count(*)::int as count from deliveries
       where event is null group by 1 order by 1`,
    );
    const countOf = (state: string) => states.find((row) => row.state === state)?.count ?? 0;
    expect(countOf('ingest delivered')).toBe(total);
    expect(countOf('exchange delivered') + countOf('exchange uncertain')).toBe(total);
    expect(sandbox.effects('exchange').every((effect) => effect.count === 1)).toBe(true);

    const told = sandbox.effects('webhook').map(({ count, detail }) => {
      expect(count).toBe(1);
      return `${detail.lead_id} ${detail.type} ${detail.destination ?? ''} ${detail.state ?? ''}`;
    });
    const { rows: ends } = await pool.query<{ lead_id: string; was: string }>(
      `select lead_id, (case state when 'delivered' then 'delivery.delivered' else 'delivery.failed'
         end) || ' ' || destination || ' ' || state as was from deliveries
       where event is null and (destination <> 'exchange' or state = 'delivered')`,
    );
    const expected = [
      ...[...visitors.acknowledged].map((id) => `${id} lead.accepted  `),
      ...ends.map(({ lead_id, was }) => `${lead_id} ${was}`),
    ];
    expect(told.sort()).toEqual(expected.sort());
    expect(sandbox.violations()).toEqual([]);
  } finally {
    visitors.stop();
  }
}, 1_200_000);

test('a server that was frozen until its leases expired sends no lead a second time', async () => {
  const frozen = await start({ LOG_LEVEL: 'warn' });
  const visitors = createVisitors(() => frozen.url);
  try {
    sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms: 600_000 });
    await Promise.all(Array.from({ length: FROZEN_LEADS }, () => visitors.post()));
    await until(async () => sandbox.received('ingest').length === FROZEN_LEADS);
    frozen.freeze();
    sandbox.recover();
    await start();
    await pool.query(`update deliveries set due_at = now() where state = 'sending'`);
    await until(async () => {
      const { rows } = await pool.query<{ delivered: number }>(
        `select count(*)::int as delivered from deliveries where state = 'delivered'`,
      );
      return rows[0]?.delivered === FROZEN_LEADS;
    });
    const ledger = async () => {
      const { rows } = await pool.query(
        'select * from deliveries join delivery_attempts on delivery_id = id order by id, attempt',
      );
      return rows;
    };
    const before = await ledger();
    frozen.thaw();
    const refused = () => frozen.output().match(/An attempt ended after its lease/g)?.length;
    await until(async () => refused() === FROZEN_LEADS);
    expect(await ledger()).toEqual(before);
    const lost = before.filter((attempt) => attempt.outcome === 'unknown').length;
    expect(lost).toBe(FROZEN_LEADS);
    expect(sandbox.effects()).toHaveLength(FROZEN_LEADS);
    expect(sandbox.effects().every((effect) => effect.count === 1)).toBe(true);
    expect(overlapsAt(sandbox)).toEqual([]);
  } finally {
    frozen.thaw();
    visitors.stop();
  }
});
