/** Kills the server and the database with `kill -9` during posts and deliveries. */
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { findRunningEmbeddedPostgres } from '../../src/server/platform/postgres/embedded-postgres.ts';
import { preparedDataDir } from '../support/postgres.ts';
import {
  createVisitors,
  overlapsAt,
  type ServerProcess,
  sendingTo,
  startServerProcess,
} from '../support/server-process.ts';

const LEADS = 12;

test('leads are delivered exactly once although the server and the database are killed', async () => {
  const sandbox = await startSandbox();
  const dataDir = await preparedDataDir('funnel kill ');
  const environment = { ...sendingTo(sandbox), EMAIL_MX_LOOKUP: 'off' };
  let server: ServerProcess | undefined = await startServerProcess(dataDir, environment);
  const visitors = createVisitors(() => server?.url);
  const ids = () => [...visitors.acknowledged].sort();
  try {
    // The service accepts each lead, but the server is killed before the service answers.
    sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms: 600_000 });
    await visitors.post();
    await expect.poll(() => sandbox.received('ingest').length).toBe(1);
    const posts = Array.from({ length: LEADS - 1 }, () => visitors.post());
    await expect.poll(() => visitors.acknowledged.size).toBeGreaterThan(1);
    const victim = server;
    server = undefined;
    await victim.killTree();
    sandbox.recover();

    server = await startServerProcess(dataDir, environment);
    await Promise.all(posts);
    expect(visitors.acknowledged.size).toBe(LEADS);
    const running = await findRunningEmbeddedPostgres(dataDir);
    const pool = new pg.Pool({ connectionString: running?.connectionString, max: 1 });
    const states = async () => {
      // Makes all retries due at once, so that the test need not wait.
      await pool.query(`update deliveries set due_at = now() where state = 'retrying'`);
      const { rows } = await pool.query<{ id: string; state: string }>(
        `select l.id, string_agg(d.state, ' ') as state
         from leads l left join deliveries d on d.lead_id = l.id group by l.id order by l.id`,
      );
      return rows;
    };
    const expected = ids().map((id) => ({ id, state: 'delivered' }));
    await expect.poll(states).toEqual(expected);
    const open = await pool.query('select from delivery_attempts where outcome is null');
    expect(open.rowCount).toBe(0);
    await pool.end();
    const effects = sandbox.effects();
    expect(effects.map(({ detail }) => detail.lead_id).sort()).toEqual(ids());
    expect(effects.every(({ count }) => count === 1)).toBe(true);
    expect(sandbox.violations()).toEqual([]);
    expect(overlapsAt(sandbox)).toEqual([]);
  } finally {
    visitors.stop();
    await server?.stop();
    await sandbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
