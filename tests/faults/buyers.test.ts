/** Posts leads to two servers, one of which is killed. No buyer's cap may be exceeded, and each must be filled. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { setBuyer } from '../support/buyers.ts';
import { until } from '../support/delivery.ts';
import { databaseForTests } from '../support/own-database.ts';
import { testPersonSecret } from '../support/person-keys.ts';
import {
  createVisitors,
  overlapsAt,
  type ServerProcess,
  sendingTo,
  startServerProcess,
} from '../support/server-process.ts';

const LEADS = 5_000;
const CONNECTIONS = 32;
const CAP = 100;
/** Leads that the ingest service refuses, so that another buyer gets them. */
const REFUSED = 40;
const KILL_AFTER = 400;
const accounts = ['smith', 'jones', 'lee', 'diaz'];
const destinations = ['ingest', ...accounts.map((account) => `ingest/${account}`)];

const sandbox = await startSandbox();
const { pool, connectionString } = await databaseForTests();
const base = await mkdtemp(path.join(tmpdir(), 'funnel-buyers-'));
const started: ServerProcess[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});
afterAll(async () => {
  await sandbox.close();
  await rm(base, { recursive: true, force: true });
});

async function start(): Promise<ServerProcess> {
  const extra = accounts.map((account) => [account, { like: 'ingest' }]);
  const server = await startServerProcess(await mkdtemp(path.join(base, 'data-')), {
    DATABASE_URL: connectionString,
    PERSON_KEY_SECRET: testPersonSecret,
    ...sendingTo(sandbox),
    EXTRA_DESTINATIONS: JSON.stringify(Object.fromEntries(extra)),
    CONSOLE_PORT: 'off',
    EMAIL_MX_LOOKUP: 'off',
  });
  started.push(server);
  return server;
}

test(`${LEADS} leads by ${CONNECTIONS} connections fill each cap of ${CAP} exactly, although a server is killed`, async () => {
  for (const [place, destination] of destinations.entries()) {
    const caps = [{ per: 'total', leads: CAP }] as const;
    await setBuyer(pool, destination, { priority: place % 2, weight: place + 1, caps });
  }
  sandbox.fail({ service: 'ingest', mode: 'duplicate', times: REFUSED });
  const servers: (ServerProcess | undefined)[] = [await start(), await start()];
  let turn = 0;
  const visitors = createVisitors(() => {
    turn += 1;
    return (servers[turn % 2] ?? servers[(turn + 1) % 2])?.url;
  });
  let left = LEADS;
  const connection = async () => {
    while (left > 0) {
      left -= 1;
      await visitors.post();
    }
  };
  try {
    const posting = Promise.all(Array.from({ length: CONNECTIONS }, connection));
    await until(async () => visitors.acknowledged.size >= KILL_AFTER);
    // Delays the answers, so that the kill interrupts deliveries and choices.
    sandbox.fail({ service: 'ingest', mode: 'slow', delay_ms: 200 });
    const victim = servers[0];
    servers[0] = undefined;
    await victim?.killTree();
    sandbox.recover();
    await pool.query(
      `update deliveries set due_at = now() where state = 'sending' and lease_owner like $1`,
      [`${victim?.pid}-%`],
    );
    servers[0] = await start();
    await posting;
    expect(visitors.acknowledged.size).toBe(LEADS);
    await until(async () => {
      const { rowCount } = await pool.query(
        `select 1 from deliveries where state in ('waiting', 'sending', 'retrying') or is_unrouted limit 1`,
      );
      return rowCount === 0;
    });
  } finally {
    visitors.stop();
  }
  const { rows } = await pool.query(
    `select destination, count(*) filter (where chosen_at is not null)::int as counted,
       count(*) filter (where state = 'delivered')::int as delivered
     from deliveries group by 1 order by 1`,
  );
  const each = { counted: CAP, delivered: CAP };
  expect(rows).toEqual([...destinations].sort().map((destination) => ({ destination, ...each })));

  const { rows: shared } = await pool.query(
    `select lead_id from deliveries where chosen_at is not null or may_have_arrived
     group by lead_id having count(*) > 1`,
  );
  expect(shared, 'an exclusive lead went to two buyers').toEqual([]);
  const { rows: sales } = await pool.query(
    `select destination, sum(amount)::int as sum from money_entries group by 1 order by 1`,
  );
  expect(sales).toEqual(
    [...destinations].sort().map((destination) => ({ destination, sum: 100 * CAP })),
  );
  const effects = sandbox.effects();
  expect(effects.map(({ count }) => count)).toEqual(Array(CAP * destinations.length).fill(1));
  expect(overlapsAt(sandbox)).toEqual([]);
  const { rows: refused } = await pool.query(
    `select count(*)::int as refused from deliveries where state = 'rejected'`,
  );
  expect(refused).toEqual([{ refused: REFUSED }]);
  const { rows: reasons } = await pool.query(
    `select distinct end_reason from deliveries where state = 'passed_over' order by 1`,
  );
  expect(reasons.map(({ end_reason }) => end_reason)).toEqual(['cap_reached', 'has_buyer']);
}, 300_000);
