import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testLog, withDatabase } from '../../../tests/support/postgres.ts';
import { bodySha256 } from '../../intake/body-hash.ts';
import { unkeyedPersonKey } from '../../intake/person-key.ts';
import { createLeadsStore } from './leads-store.ts';
import { MigrationError, migrate } from './migrate.ts';

let database: TestDatabase;
const dirs: string[] = [];

beforeEach(async () => {
  database = await withDatabase({ migrated: false });
}, 60_000);
afterEach(() => database.drop());
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true }))));

async function migrationsDir(files: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  dirs.push(dir);
  await mkdir(dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(dir, name), text);
  return dir;
}

async function tables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name not like 'kysely%' order by 1`,
  );
  return rows.map(({ name }) => name);
}

const PROJECT_TABLES = [
  'address_bytes',
  'address_persons',
  'check_answers',
  'chores',
  'clicks',
  'consents',
  'deliveries',
  'delivery_attempts',
  'destination_health',
  'form_locks',
  'lead_checks',
  'lead_events',
  'lead_revisions',
  'leads',
  'opt_out_requests',
  'paid_checks',
  'person_keys',
  'phone_code_limits',
  'phone_code_secret',
  'phone_codes',
  'progress',
  'rule_versions',
  'suppressions',
  'visits',
];

describe('migrate', () => {
  it('creates the tables once', async () => {
    const { connectionString } = database;
    const first = await migrate({ connectionString, log: testLog });
    expect(first[0]).toBe('001_leads');
    expect(await tables()).toEqual(PROJECT_TABLES);
    expect(await migrate({ connectionString, log: testLog })).toEqual([]);
  });

  it('runs twenty times at once', async () => {
    const { connectionString } = database;
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => migrate({ connectionString, log: testLog })),
    );
    expect(runs.flat().filter((name) => name === '001_leads')).toHaveLength(1);
    expect(await tables()).toEqual(PROJECT_TABLES);
  });

  it('names and rolls back a failed migration, and continues once it is fixed', async () => {
    const { connectionString } = database;
    const dir = await migrationsDir({
      '001_good.sql': 'create table good (id int)',
      '002_bad.sql': 'create table half (id int); select nonsense from nowhere',
    });
    const failure = migrate({ connectionString, log: testLog, migrationsDir: dir });
    await expect(failure).rejects.toThrow(MigrationError);
    await expect(failure).rejects.toThrow(/002_bad/);
    expect(await tables()).not.toContain('half');
    await writeFile(path.join(dir, '002_bad.sql'), 'create table half (id int)');
    await migrate({ connectionString, log: testLog, migrationsDir: dir });
    expect(await tables()).toEqual(['good', 'half']);
  });

  it('runs a TypeScript migration', async () => {
    const { connectionString } = database;
    const dir = await migrationsDir({
      '001_module.ts': `
        export async function up(db: { schema: any }): Promise<void> {
          await db.schema.createTable('by_module').addColumn('id', 'integer').execute();
        }`,
    });
    await migrate({ connectionString, log: testLog, migrationsDir: dir });
    expect(await tables()).toEqual(['by_module']);
  });

  it.each([
    [{ 'one.sql': 'select 1' }, /one\.sql is not named/],
    [{ '001_a.sql': 'select 1', '001_b.sql': 'select 1' }, /number 001/],
    [{ '001_a.ts': 'export const down = 1;' }, /does not export a function up/],
  ])('rejects %o', async (files, message) => {
    const dir = await migrationsDir(files);
    const { connectionString } = database;
    await expect(migrate({ connectionString, log: testLog, migrationsDir: dir })).rejects.toThrow(
      message,
    );
  });

  it('reports an unavailable database', async () => {
    await expect(
      migrate({ connectionString: 'postgres://nobody:x@127.0.0.1:9/none', log: testLog }),
    ).rejects.toThrow(/could not be migrated.*ECONNREFUSED/);
  });
});

describe('the schema', () => {
  it('allows one delivery per lead and destination, in a known state', async () => {
    await migrate({ connectionString: database.connectionString, log: testLog });
    const { db } = database;
    const id = '01890000-0000-7000-8000-000000000001';
    await db
      .insertInto('leads')
      .values({
        id,
        survey: '/survey/v4nv',
        flow: 'v4',
        language: 'en',
        qualified: true,
        lead_is_qualified: true,
        do_not_send_to_dq: 'yes',
      })
      .execute();
    const lead = await db.selectFrom('leads').selectAll().executeTakeFirstOrThrow();
    expect(lead).toMatchObject({ state: 'accepted', revision: 1, sec_gpc: false });
    const body = { at_Fault: 'no' };
    await db
      .insertInto('lead_revisions')
      .values({
        lead_id: id,
        revision: 1,
        body: JSON.stringify(body),
        body_sha256: bodySha256(body),
        answers: JSON.stringify(body),
        decisions: JSON.stringify([{ rule: 'qualification' }]),
      })
      .execute();
    const revision = await db.selectFrom('lead_revisions').selectAll().executeTakeFirstOrThrow();
    expect(revision).toMatchObject({
      body,
      merged: null,
      answers: { at_Fault: 'no' },
      decisions: [{ rule: 'qualification' }],
      problems: [],
    });
    expect(lead.created_at).toBeInstanceOf(Date);
    const delivery = { lead_id: id, destination: 'ingest', state: 'waiting' } as const;
    await db
      .insertInto('deliveries')
      .values({ ...delivery, id: '01890000-0000-7000-8000-000000000002' })
      .execute();
    await expect(
      db
        .insertInto('deliveries')
        .values({ ...delivery, id: '01890000-0000-7000-8000-000000000003' })
        .execute(),
    ).rejects.toBeInstanceOf(pg.DatabaseError);
    await expect(database.pool.query(`update deliveries set state = 'lost'`)).rejects.toMatchObject(
      { code: '23514' },
    );
  });
});

describe('a database from before the ledger', () => {
  const idOf = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 12, minute));

  /** Returns a folder with the migrations before 003. */
  async function oldMigrations(): Promise<string> {
    const dir = await migrationsDir({});
    const project = path.join(import.meta.dirname, '../../../migrations');
    for (const name of ['001_leads.sql', '002_one_to_one.sql']) {
      await cp(path.join(project, name), path.join(dir, name));
    }
    return dir;
  }

  const query = (text: string, values: unknown[] = []) => database.pool.query(text, values);

  async function insertLead(
    n: number,
    bodies: readonly Record<string, unknown>[],
    { email = null, phone = null }: { email?: string | null; phone?: string | null } = {},
  ): Promise<void> {
    await query(
      `insert into leads (id, survey, flow, language, revision, qualified, lead_is_qualified,
         do_not_send_to_dq, answers, fields, decisions, overrides, differences, problems, email_key,
         phone_key, created_at, updated_at)
       values ($1, '/survey/v4nv', 'v4', 'en', $2, true, true, 'yes', '{"at_Fault":"no"}',
         '{"oid":"81"}', '[{"rule":"r"}]', '[{"field":"o"}]', '[{"field":"d"}]', '[{"problem":"p"}]',
         $3, $4, $5, $6)`,
      [idOf(n), bodies.length, email, phone, at(0), at(1)],
    );
    for (const [index, body] of bodies.entries()) {
      await query(
        'insert into lead_revisions (lead_id, revision, body, change) values ($1, $2, $3, $4)',
        [idOf(n), index + 1, JSON.stringify(body), JSON.stringify(answer(index))],
      );
    }
  }
  const answer = (index: number) => ({
    answer: { qualified: 'yes', dq_reason: index === 0 ? '' : 'later' },
    fields: [],
  });

  async function insertDelivery(
    n: number,
    state: string,
    outcomes: readonly (string | null)[] = [],
    more: { next?: Date; lease?: Date } = {},
  ): Promise<void> {
    await query(
      `insert into deliveries (id, lead_id, destination, state, attempts, next_attempt_at,
         lease_until, lease_owner, created_at)
       values ($1, $2, 'ingest', $3, $4, $5, $6, $7, $8)`,
      [
        idOf(9_000 + n),
        idOf(n),
        state,
        outcomes.length,
        more.next ?? null,
        more.lease ?? null,
        more.lease ? 'somebody' : null,
        at(2),
      ],
    );
    for (const [index, outcome] of outcomes.entries()) {
      await query(
        `insert into delivery_attempts (delivery_id, attempt, started_at, outcome, error)
         values ($1, $2, $3, $4, $5)`,
        [idOf(9_000 + n), index + 1, at(10 + index), outcome, `text ${index + 1}`],
      );
    }
  }

  const first = {
    lead_id: idOf(1),
    email: 'A@Mail.example',
    sub: 'x',
    nested: { b: [1], a: null },
  };
  const second = { lead_id: idOf(1), email: '', sub: 'y', phone: null, extra: true };

  async function fill(): Promise<void> {
    await insertLead(1, [first, second, { sub: '', extra: false }], {
      email: 'a@mail.example',
      phone: '2125550123',
    });
    for (let n = 2; n <= 12; n += 1) await insertLead(n, [{ lead_id: idOf(n) }]);
    await insertDelivery(1, 'delivered', ['retry', 'unknown', 'resend', 'duplicate']);
    await insertDelivery(2, 'waiting');
    await insertDelivery(3, 'waiting', [], { next: at(30) });
    await insertDelivery(4, 'retrying', ['retry'], { next: at(40) });
    await insertDelivery(5, 'sending', ['retry', null], { lease: at(50) });
    await insertDelivery(6, 'rejected', ['rejected']);
    await insertDelivery(7, 'dead', ['failed', 'resend', 'failed', 'resend', 'failed']);
    await insertDelivery(8, 'uncertain', ['unknown']);
    await insertDelivery(9, 'no_destination');
    await insertDelivery(10, 'held');
    // Resent by an operator after the account was set, and not claimed yet.
    await insertDelivery(11, 'waiting', ['resend'], { next: at(60) });
    await query(
      `insert into clicks (id, lead_id, survey, sec_gpc, created_at) values
         ('click-1', $1, '/survey/v4nv', true, $5), ('click-2', $2, '/survey/v4nv', false, $5),
         ('click-3', $3, '/survey/v5', false, $5), ('click-4', $3, null, false, $6),
         ('click-5', null, '/survey/v5', false, $5), ('click-6', $4, null, false, $5)`,
      [idOf(1), idOf(2), idOf(101), idOf(102), at(3), at(4)],
    );
    for (const seq of [1, 2]) {
      await query(
        `insert into progress (lead_id, seq, survey, step, kind, received_at)
         values ($1, $2, '/survey/v6', 'AtFault', 'answered', $3)`,
        [idOf(103), seq, at(5 + seq)],
      );
    }
    for (const n of [1, 104]) {
      await query('insert into lead_accounts values ($1, $2, $3, $4, $5)', [
        idOf(n),
        'campaign',
        'supplier',
        'key',
        at(8),
      ]);
      await query('insert into buyer_offers values ($1, $2, $3)', [
        idOf(n),
        JSON.stringify({ '10001': { result: 'none' } }),
        at(9),
      ]);
    }
    await query('create schema pgboss');
    await query('create table pgboss.job (id int)');
    // More than one portion of the migration.
    await query(
      `insert into leads (id, survey, flow, language, qualified, lead_is_qualified,
         do_not_send_to_dq, answers, fields, email_key)
       select ('01890000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, '/survey/v4', 'v4', 'en',
         true, true, 'yes', '{}', '{}', n || '@mail.example'
       from generate_series(1, 1200) as n`,
    );
    await query(
      `insert into lead_revisions (lead_id, revision, body)
       select id, 1, jsonb_build_object('lead_id', id) from leads where survey = '/survey/v4'`,
    );
  }

  async function rowsOf(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return (await query(text, values)).rows;
  }

  it('keeps its visits, accounts, clicks and opt-outs', async () => {
    const { connectionString } = database;
    const migrationsDir = await oldMigrations();
    await migrate({ connectionString, log: testLog, migrationsDir });
    await fill();
    expect(await migrate({ connectionString, log: testLog })).toEqual(
      expect.arrayContaining(['003_one_ledger', '004_fill_the_ledger']),
    );
    expect(await tables()).toEqual(PROJECT_TABLES);
    expect(await rowsOf(`select 1 from pg_namespace where nspname = 'pgboss'`)).toEqual([]);

    const visits = await rowsOf('select * from visits where survey <> $1 order by lead_id', [
      '/survey/v4',
    ]);
    const expected = [...Array.from({ length: 12 }, (_, index) => index + 1), 101, 102, 103, 104];
    expect(visits.map((visit) => visit.lead_id)).toEqual(expected.map(idOf));
    expect(new Set(visits.map((visit) => visit.secret_sha256))).toEqual(new Set([null]));
    const visit = (n: number) => visits.find(({ lead_id }) => lead_id === idOf(n));
    const account = { campaignId: 'campaign', supplierId: 'supplier', key: 'key' };
    const offers = { '10001': { result: 'none' } };
    expect(visit(1)).toMatchObject({
      survey: '/survey/v4nv',
      account,
      offers,
      created_at: at(0),
      seen_at: at(1),
    });
    expect(visit(2)).toMatchObject({ account: null, offers: {}, erased_at: null });
    expect(visit(101)).toMatchObject({ survey: '/survey/v5', created_at: at(3), seen_at: at(4) });
    expect(visit(102)).toMatchObject({ survey: '' });
    expect(visit(103)).toMatchObject({
      survey: '/survey/v6',
      created_at: at(6),
      seen_at: at(7),
    });
    expect(visit(104)).toMatchObject({ survey: '', account, offers });

    expect((await rowsOf('select id from clicks order by id')).map(({ id }) => id)).toEqual([
      'click-1',
      'click-2',
      'click-3',
      'click-4',
      'click-6',
    ]);
    const optedOut = await rowsOf('select id from leads where sec_gpc');
    expect(optedOut).toEqual([{ id: idOf(1) }]);
  });

  it('gets hashes, merged bodies and keys for its revisions', async () => {
    const { connectionString, pool } = database;
    await migrate({ connectionString, log: testLog, migrationsDir: await oldMigrations() });
    await fill();
    await migrate({ connectionString, log: testLog });
    const revisions = await rowsOf('select * from lead_revisions order by lead_id, revision');
    expect(revisions).toHaveLength(1_214);
    for (const { body, body_sha256 } of revisions) expect(body_sha256).toBe(bodySha256(body));

    const keys = {
      email_key: unkeyedPersonKey('email', 'a@mail.example'),
      phone_key: unkeyedPersonKey('phone', '2125550123'),
    };
    const [one, two, three] = revisions;
    const unknown = { answers: {}, fields: {}, decisions: [], problems: [] };
    expect(one).toMatchObject({ body: first, merged: null, ...unknown, ...keys });
    const merged = { ...first, sub: 'y', phone: null, extra: true };
    expect(two).toMatchObject({ body: second, merged, ...unknown, ...keys });
    expect(three).toMatchObject({
      merged: { ...merged, extra: false },
      answers: { at_Fault: 'no' },
      fields: { oid: '81' },
      decisions: [{ rule: 'r' }],
      overrides: [{ field: 'o' }],
      differences: [{ field: 'd' }],
      problems: [{ problem: 'p' }],
      ...keys,
    });
    expect(revisions[3]).toMatchObject({ merged: null, email_key: null, phone_key: null });
    expect(await rowsOf('select * from leads where id = $1', [idOf(1)])).toMatchObject([
      { revision: 3, claims_id: null, ...keys },
    ]);
    // The last row of the second portion.
    const [last] = await rowsOf('select * from leads order by id desc limit 1');
    expect(last?.email_key).toBe(unkeyedPersonKey('email', '1200@mail.example'));
    expect(await rowsOf(`select 1 from leads where email_key like '%@%'`)).toEqual([]);

    // A repost of an old body is recognised by its hash and gets its own answer.
    const store = createLeadsStore({ pool, wake: () => undefined });
    expect(await store.find(idOf(1), bodySha256(second))).toEqual({
      secretSha256: null,
      isErased: false,
      revision: 3,
      same: { revision: 2, answer: answer(1).answer },
    });
  });

  it('gets due times for its deliveries, and events for its resends', async () => {
    const { connectionString } = database;
    await migrate({ connectionString, log: testLog, migrationsDir: await oldMigrations() });
    await fill();
    await migrate({ connectionString, log: testLog });
    const deliveries = await rowsOf('select * from deliveries order by lead_id');
    const none = { due_at: null, attempts_before_round: 0, may_have_arrived: false };
    const unpinned = { revision: null, account: null, payload_version: null };
    const pinned = { revision: 1, account: null, payload_version: 1 };
    expect(deliveries).toMatchObject([
      {
        state: 'delivered',
        ...none,
        ...pinned,
        // It was not recorded which of the three revisions was sent.
        revision: null,
        attempts: 3,
        attempts_before_round: 2,
        may_have_arrived: true,
      },
      { state: 'waiting', ...none, ...unpinned, attempts: 0, due_at: at(2) },
      { state: 'waiting', ...none, ...unpinned, attempts: 0, due_at: at(30) },
      { state: 'retrying', ...none, ...pinned, attempts: 1, due_at: at(40) },
      {
        state: 'sending',
        ...none,
        ...pinned,
        attempts: 2,
        due_at: at(50),
        may_have_arrived: true,
        lease_owner: 'somebody',
      },
      { state: 'rejected', ...none, ...pinned, attempts: 1 },
      { state: 'dead', ...none, ...pinned, attempts: 3, attempts_before_round: 2 },
      { state: 'uncertain', ...none, ...pinned, attempts: 1, may_have_arrived: true },
      { state: 'no_destination', ...none, ...unpinned, attempts: 0 },
      { state: 'held', ...none, ...unpinned, attempts: 0 },
      { state: 'waiting', ...none, ...unpinned, attempts: 0, due_at: at(60) },
    ]);

    const attempts = await rowsOf(
      `select delivery_id, attempt, outcome, error from delivery_attempts
       where delivery_id = any($1::uuid[]) order by delivery_id, attempt`,
      [[idOf(9_001), idOf(9_007), idOf(9_011)]],
    );
    expect(attempts.map((each) => Object.values(each))).toEqual([
      [idOf(9_001), 1, 'retry', 'text 1'],
      [idOf(9_001), 2, 'unknown', 'text 2'],
      [idOf(9_001), 3, 'duplicate', 'text 4'],
      [idOf(9_007), 1, 'failed', 'text 1'],
      [idOf(9_007), 2, 'failed', 'text 3'],
      [idOf(9_007), 3, 'failed', 'text 5'],
    ]);

    const events = await rowsOf('select * from lead_events order by lead_id, at');
    const resent = (n: number, index: number) => ({
      lead_id: idOf(n),
      delivery_id: idOf(9_000 + n),
      at: at(10 + index),
      kind: 'resent',
      actor: 'an operator',
      detail: { note: `text ${index + 1}` },
    });
    expect(events).toMatchObject([resent(1, 2), resent(7, 1), resent(7, 3), resent(11, 0)]);
  });
});
