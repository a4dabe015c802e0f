/**
 * Two servers on one database. One is frozen during its sends until the other has taken them over; when it
 * thaws, it changes nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { type TestDatabase, withDatabase } from '../support/postgres.ts';
import { type ServerProcess, sendingTo, startServerProcess } from './crash-server.ts';
import { createVisitors } from './crash-visitors.ts';
import { until } from './delivery-fixture.ts';

const LEADS = 20;

let sandbox: Sandbox;
let database: TestDatabase;
let dataDir: string;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
  dataDir = await mkdtemp(path.join(tmpdir(), 'funnel-frozen-'));
  database = await withDatabase();
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await sandbox.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ServerProcess> {
  const server = await startServerProcess(dataDir, {
    DATABASE_URL: database.connectionString,
    ...sendingTo(sandbox),
    EMAIL_MX_LOOKUP: 'off',
    LOG_LEVEL: 'warn',
  });
  servers.push(server);
  return server;
}

test('a server that is frozen past its leases and then thawed changes nothing', async () => {
  const frozen = await start();
  const visitors = createVisitors(() => frozen.url);
  try {
    sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms: 600_000 });
    await Promise.all(Array.from({ length: LEADS }, () => visitors.post()));
    await until(async () => sandbox.received('ingest').length === LEADS, 10_000);
    frozen.freeze();
    // The answers arrive while the server is frozen.
    sandbox.recover();
    await start();
    // The leases have expired, so the other server takes the sends over.
    await database.pool.query(`update deliveries set due_at = now() where state = 'sending'`);
    await until(async () => {
      const { rows } = await database.pool.query<{ delivered: number }>(
        `select count(*)::int as delivered from deliveries where state = 'delivered'`,
      );
      return rows[0]?.delivered === LEADS;
    }, 60_000);
    const ledger = async () => {
      const { rows } = await database.pool.query(
        'select * from deliveries join delivery_attempts on delivery_id = id order by id, attempt',
      );
      return rows;
    };
    const before = await ledger();
    frozen.thaw();
    // The thawed server reads the late answers and finds that it has lost its leases.
    const refused = () => frozen.output().match(/An attempt ended after its lease/g)?.length;
    await until(async () => refused() === LEADS, 60_000);
    expect(await ledger()).toEqual(before);
    const lost = before.filter((attempt) => attempt.outcome === 'unknown').length;
    console.log(`${lost} sends were in progress in the frozen server`);
    expect(lost).toBe(LEADS);
    expect(sandbox.effects()).toHaveLength(LEADS);
    expect(sandbox.effects().every((effect) => effect.count === 1)).toBe(true);
    expect(sandbox.received('ingest').filter((request) => request.overlapped)).toEqual([]);
  } finally {
    frozen.thaw();
    visitors.stop();
  }
}, 360_000);
