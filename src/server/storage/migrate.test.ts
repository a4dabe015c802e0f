import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedLead } from '../../../tests/support/ledger.ts';
import { migrationsDir } from '../../../tests/support/migrations-dir.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { type TestDatabase, testLog, withDatabase } from '../../../tests/support/postgres.ts';
import { bodySha256 } from '../../intake/body-hash.ts';
import { unkeyedPersonKey } from '../../intake/person-key.ts';
import { createLeadsStore } from './leads-store.ts';
import { MigrationError, migrate } from './migrate.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await withDatabase({ migrated: false });
}, 60_000);
afterEach(() => database.drop());

async function tables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name not like 'kysely%' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Returns the columns of every table, each with its type. */
async function columnsOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select format('%s.%s %s %s', table_name, column_name, data_type, is_nullable) as line
     from information_schema.columns where table_schema = 'public' order by 1`,
  );
  return rows.map(({ line }) => line);
}
const fresh = await databaseForTests();

describe('migrate', () => {
  it('creates the tables once', async () => {
    const { connectionString } = database;
    const first = await migrate({ connectionString, log: testLog });
    expect(first[0]).toBe('001_leads');
    expect(await tables()).toContain('leads');
    expect(await columnsOf(database.pool)).toEqual(await columnsOf(fresh.pool));
    expect(await migrate({ connectionString, log: testLog })).toEqual([]);
  });

  it('runs once when several servers start', async () => {
    const { connectionString } = database;
    const starting = [1, 2, 3, 4].map(() => migrate({ connectionString, log: testLog }));
    const names = (await Promise.all(starting)).flat();
    expect(names.filter((name) => name === '001_leads')).toHaveLength(1);
    expect(await columnsOf(database.pool)).toEqual(await columnsOf(fresh.pool));
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

it('the schema allows one delivery per lead and destination, in a known state', async () => {
  await migrate({ connectionString: database.connectionString, log: testLog });
  const id = await seedLead(database.pool, { deliveries: [{ state: 'waiting' }] });
  const again = seedLead(database.pool, {
    deliveries: [{ state: 'waiting' }, { state: 'waiting' }],
  });
  await expect(again).rejects.toMatchObject({ code: '23505' });
  const lost = database.pool.query(`update deliveries set state = 'lost' where lead_id = $1`, [id]);
  await expect(lost).rejects.toMatchObject({ code: '23514' });
});

describe('a database from before the ledger', () => {
  const idOf = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 12, minute));
  const first = {
    lead_id: idOf(1),
    email: 'A@Mail.example',
    sub: 'x',
    nested: { b: [1], a: null },
  };
  const second = { lead_id: idOf(1), email: '', sub: 'y', phone: null, extra: true };
  const answer = { qualified: 'yes', dq_reason: 'later' };

  /** Creates the tables as of migration 002. */
  async function migrateToOld(): Promise<void> {
    const dir = await migrationsDir({});
    for (const name of ['001_leads.sql', '002_one_to_one.sql']) {
      const file = path.join(import.meta.dirname, '../../../migrations', name);
      await cp(file, path.join(dir, name));
    }
    const { connectionString } = database;
    await migrate({ connectionString, log: testLog, migrationsDir: dir });
  }

  /** Writes a lead with two revisions and all that belongs to it, and more leads than one portion has. */
  async function fill(): Promise<void> {
    const lead = `'${idOf(1)}', '/survey/v4nv', 'v4', 'en', 2, true, true, 'yes', '{"at_Fault":"no"}',
      '{"oid":"81"}', '[{"rule":"r"}]', 'a@mail.example', '2125550123'`;
    await database.pool.query(`
      insert into leads (id, survey, flow, language, revision, qualified, lead_is_qualified,
        do_not_send_to_dq, answers, fields, decisions, email_key, phone_key) values (${lead});
      insert into lead_revisions (lead_id, revision, body, change) values
        ('${idOf(1)}', 1, '${JSON.stringify(first)}', '{}'),
        ('${idOf(1)}', 2, '${JSON.stringify(second)}', '${JSON.stringify({ answer, fields: [] })}');
      insert into deliveries (id, lead_id, destination, state, attempts, next_attempt_at, created_at)
        values ('${idOf(9)}', '${idOf(1)}', 'ingest', 'retrying', 3, '${at(30).toISOString()}', now());
      insert into delivery_attempts (delivery_id, attempt, started_at, outcome, error) values
        ('${idOf(9)}', 1, '${at(10).toISOString()}', 'unknown', 'text 1'),
        ('${idOf(9)}', 2, '${at(11).toISOString()}', 'resend', 'text 2'),
        ('${idOf(9)}', 3, '${at(12).toISOString()}', 'retry', 'text 3');
      insert into clicks (id, lead_id, survey, sec_gpc) values
        ('click-1', '${idOf(1)}', '/survey/v4nv', true), ('click-2', null, '/survey/v5', false);
      insert into progress (lead_id, seq, survey, step, kind) values
        ('${idOf(2)}', 1, '/survey/v6', 'AtFault', 'answered');
      insert into lead_accounts values ('${idOf(1)}', 'campaign', 'supplier', 'key', now());
      insert into buyer_offers values ('${idOf(1)}', '{"10001":{"result":"none"}}', now());
      create schema pgboss;
      insert into leads (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq,
        answers, fields, email_key)
      select ('01890000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, '/survey/v4', 'v4', 'en',
        true, true, 'yes', '{}', '{}', n || '@mail.example'
      from generate_series(1, 1200) as n;
      insert into lead_revisions (lead_id, revision, body)
      select id, 1, jsonb_build_object('lead_id', id) from leads where survey = '/survey/v4'`);
  }

  const rowsOf = async (text: string) => (await database.pool.query(text)).rows;

  it('keeps its leads, visits, deliveries and opt-outs', async () => {
    const { connectionString, pool } = database;
    await migrateToOld();
    await fill();
    await migrate({ connectionString, log: testLog });
    expect(await columnsOf(pool)).toEqual(await columnsOf(fresh.pool));
    expect(await rowsOf(`select 1 from pg_namespace where nspname = 'pgboss'`)).toEqual([]);

    const account = { campaignId: 'campaign', supplierId: 'supplier', key: 'key' };
    const visits = `select * from visits where survey <> '/survey/v4' order by lead_id`;
    expect(await rowsOf(visits)).toMatchObject([
      { survey: '/survey/v4nv', account, offers: { '10001': { result: 'none' } } },
      { lead_id: idOf(2), survey: '/survey/v6', account: null, offers: {}, secret_sha256: null },
    ]);
    expect(await rowsOf('select id from clicks')).toEqual([{ id: 'click-1' }]);
    expect(await rowsOf('select id from leads where sec_gpc')).toEqual([{ id: idOf(1) }]);

    const revisions = await rowsOf('select * from lead_revisions order by lead_id, revision');
    expect(revisions).toHaveLength(1_202);
    for (const { body, body_sha256 } of revisions) expect(body_sha256).toBe(bodySha256(body));
    const keys = {
      email_key: unkeyedPersonKey('email', 'a@mail.example'),
      phone_key: unkeyedPersonKey('phone', '2125550123'),
    };
    expect(revisions[0]).toMatchObject({ body: first, merged: null, answers: {}, ...keys });
    expect(revisions[1]).toMatchObject({
      merged: { ...first, sub: 'y', phone: null, extra: true },
      ...{ answers: { at_Fault: 'no' }, fields: { oid: '81' }, decisions: [{ rule: 'r' }] },
      ...keys,
    });
    // The last row of the second portion.
    const last = await rowsOf('select email_key from leads order by id desc limit 1');
    expect(last).toEqual([{ email_key: unkeyedPersonKey('email', '1200@mail.example') }]);
    // A repost of an old body is recognised by its hash and gets its own answer.
    const store = createLeadsStore({ pool, wake: () => undefined });
    expect(await store.find(idOf(1), bodySha256(second))).toMatchObject({
      same: { revision: 2, answer },
    });

    // A resend was an attempt; it becomes an event, and the attempts before it an earlier round.
    expect(await rowsOf('select * from deliveries')).toMatchObject([
      {
        state: 'retrying',
        attempts: 2,
        attempts_before_round: 1,
        may_have_arrived: true,
        due_at: at(30),
        // It was not recorded which of the two revisions was sent.
        revision: null,
      },
    ]);
    const attempts = 'select attempt, outcome from delivery_attempts order by attempt';
    expect(await rowsOf(attempts)).toEqual([
      { attempt: 1, outcome: 'unknown' },
      { attempt: 2, outcome: 'retry' },
    ]);
    expect(await rowsOf('select * from lead_events')).toMatchObject([
      { kind: 'resent', delivery_id: idOf(9), at: at(11), detail: { note: 'text 2' } },
    ]);
  });

  it('gets due times and pins for deliveries in every state', async () => {
    const { connectionString, pool } = database;
    await migrateToOld();
    const none = { attempts_before_round: 0, may_have_arrived: false, due_at: null };
    const waits = { ...none, attempts: 0, revision: null, payload_version: null };
    const begun = { ...none, attempts: 1, revision: 1, payload_version: 1 };
    type Times = { next_at?: Date; leased_until?: Date };
    const deliveries: [state: string, outcomes: (string | null)[], Times, becomes: object][] = [
      ['waiting', [], {}, { ...waits, due_at: at(2) }],
      ['waiting', [], { next_at: at(30) }, { ...waits, due_at: at(30) }],
      // Resent by an operator, and not leased yet.
      ['waiting', ['resend'], { next_at: at(60) }, { ...waits, due_at: at(60) }],
      ['retrying', ['retry'], { next_at: at(40) }, { ...begun, due_at: at(40) }],
      [
        'sending',
        ['retry', null],
        { leased_until: at(50) },
        { ...begun, attempts: 2, may_have_arrived: true, due_at: at(50), lease_owner: 'somebody' },
      ],
      [
        'delivered',
        ['retry', 'unknown', 'resend', 'duplicate'],
        {},
        { ...begun, attempts: 3, attempts_before_round: 2, may_have_arrived: true },
      ],
      ['delivered', ['delivered'], {}, { ...begun, may_have_arrived: true }],
      ['rejected', ['rejected'], {}, begun],
      [
        'dead',
        ['failed', 'resend', 'failed', 'resend', 'failed'],
        {},
        { ...begun, attempts: 3, attempts_before_round: 2 },
      ],
      ['uncertain', ['unknown'], {}, { ...begun, may_have_arrived: true }],
      ['no_destination', [], {}, waits],
      ['held', [], {}, waits],
    ];
    const given = deliveries.map(([state, outcomes, times], n) => ({
      ...{ id: idOf(n), delivery_id: idOf(9_000 + n), state, outcomes },
      ...times,
    }));
    await pool.query(
      `with given as (
         select * from jsonb_to_recordset($1::jsonb) as t (id uuid, delivery_id uuid, state text,
           outcomes jsonb, next_at timestamptz, leased_until timestamptz)
       ), new_leads as (
         insert into leads (id, survey, flow, language, qualified, lead_is_qualified,
           do_not_send_to_dq, answers, fields)
         select id, '/survey/v4', 'v4', 'en', true, true, 'yes', '{}', '{}' from given
       ), new_revisions as (
         insert into lead_revisions (lead_id, revision, body) select id, 1, '{}' from given
       ), new_deliveries as (
         insert into deliveries (id, lead_id, destination, state, attempts, next_attempt_at,
           lease_until, lease_owner, created_at)
         select delivery_id, id, 'ingest', state, jsonb_array_length(outcomes), next_at, leased_until,
           case when leased_until is not null then 'somebody' end, $2::timestamptz from given
       )
       insert into delivery_attempts (delivery_id, attempt, started_at, outcome)
       select delivery_id, number, $2::timestamptz, outcome
       from given, jsonb_array_elements_text(outcomes) with ordinality as t (outcome, number)`,
      [JSON.stringify(given), at(2)],
    );
    await migrate({ connectionString, log: testLog });
    expect(await rowsOf('select * from deliveries order by id')).toMatchObject(
      deliveries.map(([state, , , becomes]) => ({ state, ...becomes })),
    );
    const attempts = deliveries.flatMap(([, outcomes], n) =>
      outcomes
        .filter((outcome) => outcome !== 'resend')
        .map((outcome, index) => ({ delivery_id: idOf(9_000 + n), attempt: index + 1, outcome })),
    );
    expect(await rowsOf('select * from delivery_attempts order by 1, 2')).toMatchObject(attempts);
    const resent = `select delivery_id from lead_events where kind = 'resent' order by 1`;
    expect(await rowsOf(resent)).toEqual(
      [2, 5, 8, 8].map((n) => ({ delivery_id: idOf(9_000 + n) })),
    );
  });

  it('gets a visit for every lead id that only a click, an account or a buyer list knows', async () => {
    const { connectionString, pool } = database;
    await migrateToOld();
    const [three, four] = [at(3).toISOString(), at(4).toISOString()];
    await pool.query(`
      insert into clicks (id, lead_id, survey, created_at) values
        ('click-1', '${idOf(1)}', '/survey/v5', '${three}'), ('click-2', '${idOf(1)}', null, '${four}'),
        ('click-3', '${idOf(2)}', null, '${three}');
      insert into lead_accounts values ('${idOf(3)}', 'campaign', 'supplier', 'key', '${three}');
      insert into buyer_offers values ('${idOf(4)}', '{"10001":{"result":"none"}}', '${three}')`);
    await migrate({ connectionString, log: testLog });
    const account = { campaignId: 'campaign', supplierId: 'supplier', key: 'key' };
    const visit = { survey: '', account: null, offers: {}, created_at: at(3), seen_at: at(3) };
    expect(await rowsOf('select * from visits order by lead_id')).toMatchObject([
      { ...visit, lead_id: idOf(1), survey: '/survey/v5', seen_at: at(4) },
      { ...visit, lead_id: idOf(2) },
      { ...visit, lead_id: idOf(3), account },
      { ...visit, lead_id: idOf(4), offers: { '10001': { result: 'none' } } },
    ]);
    const clicks = await rowsOf('select id, lead_id from clicks order by id');
    expect(clicks).toEqual([1, 1, 2].map((n, i) => ({ id: `click-${i + 1}`, lead_id: idOf(n) })));
  });
});
