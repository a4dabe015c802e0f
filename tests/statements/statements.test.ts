/**
 * No statement of the program scans a table that grows, and no index is without use. The statements are those that the
 * unit and integration tests sent (tests/support/collect-statements.ts); they are planned here on a filled database.
 */
import { globSync, readFileSync } from 'node:fs';
import process from 'node:process';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '../../src/server/operators/access/audit.ts';
import { databaseForTests } from '../support/own-database.ts';
import { fill } from './filled.ts';
import { explain, readCollected, type Way, withIds } from './plans.ts';

/** The tables that may be scanned, and why. All others grow with the leads or the visits. */
const mayBeScanned: Readonly<Record<string, string>> = {
  address_bytes: 'a day',
  address_persons: 'a day',
  blocked_emails: 'a day',
  challenge_keys: 'one row',
  jobs: 'a row per job',
  set_aside: 'items that failed',
  console_sessions: 'people; removed after they end',
  counting: 'one row',
  destination_health: 'a row per destination',
  evidence_keys: 'a row per key',
  evidence_log: 'one row',
  evidence_pending: 'what waits to be logged',
  form_locks: 'leases of seconds',
  hours_to_count: 'hours that wait to be counted',
  operators: 'people',
  opt_out_turns: 'always empty',
  paid_checks: 'a day',
  passkeys: 'people',
  person_keys: 'one row',
  phone_code_limits: 'a day',
  phone_code_secret: 'one row',
  plans: 'people',
  purge_later: 'leads that wait for a destination beyond a period',
  purge_places: 'a row per period',
  request_counts: 'a day',
  rule_versions: 'a row per release',
  service_circuits: 'a row per service',
  sign_in_secrets: 'people; removed after they end',
  suppression_imports: 'a row per file that a person imported',
};

const NIL = '00000000-0000-0000-0000-000000000000';

type Exception = { readonly file: string; readonly text: RegExp; readonly why: string };

/** The statements that may scan any table, or read more than `MOST_READ` of it. */
const exceptions: readonly Exception[] = [
  {
    file: 'src/server/operators/destinations/attempts.ts',
    text: /with begun as/,
    why: 'the attempts since the last count; tests count all',
  },
  {
    file: 'src/server/operators/counts/job.ts',
    text: /insert into hours_to_count/,
    why: 'a recount begins with every hour',
  },
  {
    file: 'src/server/operators/counts/hours.ts',
    text: /with (valued|kept) as/,
    why: 'all visits of an hour',
  },
  {
    file: 'src/server/operators/counts/job.ts',
    text: /with fresh as/,
    why: 'a portion of up to 2,000 visits: a scan of 100,000 leads is cheaper',
  },
  {
    file: 'src/server/operators/evidence/check.ts',
    text: /tablesample/,
    why: 'the share of the leads that a night draws; of the few of a test all',
  },
  {
    file: 'src/server/privacy/opt-out-review.ts',
    text: /opt_out_requests r/,
    why: 'all requests, where the operator selects none',
  },
  {
    file: 'src/server/privacy/retention.ts',
    text: /skip locked/,
    why: 'the short-lived rows of a day, once a day: an index of the time would cost every post more',
  },
];
/** Rows of one table. Tables that grow have 70,000 at least. */
const MOST_READ = 25_000;

/** The files with SQL that they do not send themselves, or that has no plan. */
const noSenders = [
  'src/postgres/application-role.ts',
  'src/server/operators/lead-list/condition.ts',
  'src/server/storage/database-client.ts',
  'src/server/storage/database.ts',
  'src/server/storage/migrate.ts',
];
const SENDS =
  /(?<!\.\.)\.query[<(]|\bsql<|\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/;

const database = await databaseForTests();
// Without a time-out of statements.
const pool = new pg.Pool({ connectionString: database.connectionString, max: 1 });
let client: pg.PoolClient;

type Planned = Way & { readonly file: string; readonly text: string };
const planned: Planned[] = [];
type Failed = {
  readonly file: string;
  readonly text: string;
  readonly how: string;
  readonly message: string;
  /** The SQLSTATE. */
  readonly code: string;
};
const failed: Failed[] = [];
/** The texts that ran with some example. */
const ran = new Set<string>();
let senders: ReadonlySet<string>;

beforeAll(async () => {
  const { STATEMENTS_DIR: dir = '' } = process.env;
  const version = await pool.query<{ number: number }>(
    `select current_setting('server_version_num')::integer as number`,
  );
  const plansWithoutValues = (version.rows[0]?.number ?? 0) >= 160_000;
  client = await pool.connect();
  await fill(client);
  // Tests do not filter it.
  for (const filter of [{ actor: 'a' }, { action: 'a' }, { subject: 'a' }, { after: NIL }]) {
    await listAudit(client, filter);
  }
  const statements = await readCollected(dir);
  if (statements.length === 0) throw new Error('Run "npm test -- unit integration statements"');
  senders = new Set(statements.map(({ file }) => file));
  const { rows } = await client.query<{ id: string }>('select id from leads limit 1000');
  const ids = rows.map(({ id }) => id);
  for (const statement of statements) {
    const { text, file, isPrepared } = statement;
    const add = async (how: string, values?: readonly unknown[]) => {
      try {
        planned.push({ file, text, ...(await explain(client, how, statement, values)) });
        if (how.startsWith('analyze')) ran.add(text);
      } catch (error) {
        const { message, code = '' } = error as Error & { code?: string };
        failed.push({ file, text, how, message, code });
      }
    };
    const values = withIds(statement.values, ids);
    await add('', values);
    // Its rows may be there already.
    await add('analyze, timing off, ', values);
    if (isPrepared && plansWithoutValues) await add('generic_plan, ');
  }
}, 600_000);
afterAll(() => {
  client.release();
  return pool.end();
});

function isException({ file, text }: Planned): boolean {
  return exceptions.some((each) => each.file === file && each.text.test(text));
}

/** Returns each distinct line once. */
function lines(found: readonly string[]): string[] {
  return [...new Set(found.map((line) => line.replaceAll(/\s+/g, ' ').slice(0, 600)))].sort();
}

test('a test sends the statements of every file that has some', () => {
  const files = globSync('src/**/*.{ts,tsx}').filter(
    (file) => !file.includes('.test.') && SENDS.test(readFileSync(file, 'utf8')),
  );
  expect(files.filter((file) => !senders.has(file)).sort()).toEqual(noSenders);
});

test('every exception is one of a statement that was sent', () => {
  const idle = exceptions.filter(
    ({ file, text }) => !planned.some((one) => one.file === file && text.test(one.text)),
  );
  expect(idle.map(({ why }) => why)).toEqual([]);
});

test('every statement can be planned, and run unless a constraint refuses its row', () => {
  const unplanned = failed.filter(({ how }) => !how.startsWith('analyze'));
  expect(unplanned).toEqual([]);
  // Others of its kind do not fail: a row that is there already, or not.
  const others = failed.filter(({ text, code }) => !ran.has(text) && !code.startsWith('23'));
  expect(others).toEqual([]);
});

test('every table is filled, or is one that may be scanned', async () => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and relname not like 'kysely%' and reltuples < 50000 order by 1`,
  );
  expect(rows.map(({ name }) => name).filter((name) => !(name in mayBeScanned))).toEqual([]);
});

test('no statement scans a table that grows', () => {
  const found = planned.flatMap((one) =>
    one.scanned
      .filter((table) => !(table in mayBeScanned) && !isException(one))
      .map((table) => `${table}: ${one.file}: ${one.text}`),
  );
  expect(lines(found)).toEqual([]);
});

test('no statement walks through a table by an index', () => {
  const found = planned.flatMap((one) =>
    one.read > MOST_READ && !isException(one) ? `${one.read}: ${one.file}: ${one.text}` : [],
  );
  expect(lines(found)).toEqual([]);
});

test('few statements write one table in two parts, which CockroachDB refuses', () => {
  const twice = planned.filter(({ written }) => new Set(written).size < written.length);
  expect([...new Set(twice.map(({ file }) => file))].sort()).toEqual([
    'src/server/operators/counts/job.ts',
    'src/server/storage/phone-codes-store.ts',
  ]);
});

test('a statement uses every index', async () => {
  const used = new Set(planned.flatMap(({ indexes }) => indexes));
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_index join pg_class c on c.oid = indexrelid
     where relnamespace = 'public'::regnamespace and not indisunique order by 1`,
  );
  expect(rows.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
});
