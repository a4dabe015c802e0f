/**
 * `kill -9` of the server and its database at random moments between the visitor's last tap and the delivery.
 * Every acknowledged lead is stored and logged once, and takes effect at the ingest service once. `TEST_SEED=<n>` repeats
 * a run with its printed seed.
 */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { findRunningEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts';
import { expectAllLogged } from '../support/all-logged.ts';
import { preparedDataDir } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import {
  KILLS,
  overlapsAt,
  type ServerProcess,
  sendingTo,
  startServerProcess,
} from './crash-server.ts';
import { createVisitors } from './crash-visitors.ts';
import { until } from './delivery-fixture.ts';

const LEADS_PER_ROUND = 12;
/** The kill follows the round's first post within this time. */
const LONGEST_ROUND_MS = 900;

let sandbox: Sandbox;
let dataDir: string;
let server: ServerProcess | undefined;

beforeAll(async () => {
  sandbox = await startSandbox();
  dataDir = await preparedDataDir('funnel crash ');
});
afterAll(async () => {
  await server?.stop();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): Promise<ServerProcess> {
  return startServerProcess(dataDir, {
    ...sendingTo(sandbox),
    EMAIL_MX_LOOKUP: 'off',
  });
}

test(`${KILLS} kills of the whole process tree lose and duplicate nothing`, async () => {
  const random = seededRandom('crash');
  const visitors = createVisitors(() => server?.url);
  const { acknowledged } = visitors;
  const startTimesMs: number[] = [];
  let sends = 0;
  const caught = { posting: 0, stored: 0 };
  let serial = 0;

  const posts: Promise<void>[] = [];
  async function postUntilSent(): Promise<void> {
    sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms: 600_000 });
    serial += 1;
    posts.push(visitors.post());
    await until(async () => sandbox.received('ingest').length > 0);
  }
  for (let kill = 1; kill <= KILLS; kill += 1) {
    server = await start();
    startTimesMs.push(server.readyAfterMs);
    // The service accepts the lead and answers at once, late, or never. "Never" is limited, because each
    // retry pauses longer.
    const mode = random.integer(0, 3);
    const delay_ms = random.integer(50, 500);
    sandbox.recover();
    // The first kill interrupts a send, before a visitor gets the answer.
    if (kill === 1) await postUntilSent();
    else if (mode === 1) sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms });
    else if (mode === 2)
      sandbox.fail({ service: 'ingest', mode: 'accept_then_reset', delay_ms, times: 3 });
    const killAfterMs = random.integer(5, LONGEST_ROUND_MS);
    const killed = kill === 1 ? undefined : sleep(killAfterMs);
    for (let index = 0; index < LEADS_PER_ROUND; index += 1) {
      serial += 1;
      const pauseMs = random.integer(0, LONGEST_ROUND_MS);
      posts.push(sleep(pauseMs).then(() => visitors.post()));
    }
    await killed;
    const victim = server;
    server = undefined;
    caught.posting += serial - acknowledged.size;
    caught.stored += acknowledged.size - sandbox.effects().length;
    await victim.killTree();
  }

  sandbox.recover();
  server = await start();
  startTimesMs.push(server.readyAfterMs);
  try {
    await Promise.all(posts);
    expect(acknowledged.size).toBe(serial);

    const running = await findRunningEmbeddedPostgres(dataDir);
    const pool = new pg.Pool({ connectionString: running?.connectionString, max: 1 });
    try {
      await until(async () => {
        // Repeatedly interrupted deliveries would now pause for minutes; the test skips that.
        await pool.query(`update deliveries set due_at = now() where state = 'retrying'`);
        const { rows } = await pool.query<{ open: number }>(
          `select count(*)::int as open from deliveries where state in ('waiting', 'sending', 'retrying')`,
        );
        return rows[0]?.open === 0;
      }, 150_000);
      const leads = await pool.query<{
        id: string;
        state: string;
        revision: number;
        deliveries: number;
      }>(
        `select l.id, min(d.state) as state, l.revision, count(d.id)::int as deliveries
         from leads l left join deliveries d on d.lead_id = l.id group by l.id`,
      );
      expect(leads.rows.map((lead) => lead.id).sort()).toEqual([...acknowledged.keys()].sort());
      for (const lead of leads.rows) {
        expect(lead).toMatchObject({ state: 'delivered', deliveries: 1, revision: 1 });
      }
      const attempts = await pool.query<{ open: number; attempts: number }>(
        `select count(*) filter (where outcome is null)::int as open, count(*)::int as attempts
         from delivery_attempts`,
      );
      expect(attempts.rows[0]?.open).toBe(0);
      sends = attempts.rows[0]?.attempts ?? 0;
      await expectAllLogged(pool);
      console.log(
        `${KILLS} kills: ${caught.posting} posts not yet acknowledged, ${caught.stored} acknowledged and not yet delivered; ` +
          `${acknowledged.size} leads, ${sends} attempts; ` +
          `ready after ${startTimesMs.map((ms) => Math.round(ms)).join(' ')} ms`,
      );
    } finally {
      await pool.end();
    }

    const effects = sandbox.effects();
    expect(effects.map((effect) => effect.detail.lead_id).sort()).toEqual(
      [...acknowledged.keys()].sort(),
    );
    expect(effects.every((effect) => effect.count === 1)).toBe(true);
    expect(sandbox.violations()).toEqual([]);
    // No two sends of one lead overlapped.
    expect(overlapsAt(sandbox)).toEqual([]);
    // The kills hit both critical moments: before the answer to the visitor, and during sends.
    expect(caught.posting).toBeGreaterThan(0);
    expect(sends).toBeGreaterThan(acknowledged.size);
  } finally {
    visitors.stop();
  }
}, 480_000);
