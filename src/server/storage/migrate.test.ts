import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
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

  it('keeps its leads, visits, deliveries and opt-outs', async () => {
    const { connectionString, pool } = database;
    await migrateToOld();
    await fill();
    await migrate({ connectionString, log: testLog });
    expect(await columnsOf(pool)).toEqual(await columnsOf(fresh.pool));
    const rowsOf = async (text: string) => (await pool.query(text)).rows;
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
});
