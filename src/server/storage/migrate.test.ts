import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testLog, withDatabase } from '../../../tests/support/postgres.ts';
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
  'clicks',
  'consents',
  'deliveries',
  'delivery_attempts',
  'lead_revisions',
  'leads',
  'progress',
];

describe('migrate', () => {
  it('makes the tables once, and nothing the second time', async () => {
    const { connectionString } = database;
    const first = await migrate({ connectionString, log: testLog });
    expect(first[0]).toBe('001_leads');
    expect(await tables()).toEqual(expect.arrayContaining(PROJECT_TABLES));
    expect(await migrate({ connectionString, log: testLog })).toEqual([]);
  });

  it('runs twenty at once', async () => {
    const { connectionString } = database;
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => migrate({ connectionString, log: testLog })),
    );
    expect(runs.flat().filter((name) => name === '001_leads')).toHaveLength(1);
    expect(await tables()).toEqual(expect.arrayContaining(PROJECT_TABLES));
  });

  it('names the migration that failed, undoes it, and goes on when it is repaired', async () => {
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

  it('takes a TypeScript migration', async () => {
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
  ])('refuses %o', async (files, message) => {
    const dir = await migrationsDir(files);
    const { connectionString } = database;
    await expect(migrate({ connectionString, log: testLog, migrationsDir: dir })).rejects.toThrow(
      message,
    );
  });

  it('says so when the database is away', async () => {
    await expect(
      migrate({ connectionString: 'postgres://nobody:x@127.0.0.1:9/none', log: testLog }),
    ).rejects.toThrow(/could not be migrated.*ECONNREFUSED/);
  });
});

describe('the schema', () => {
  it('holds one delivery a lead and destination, and knows its states', async () => {
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
        answers: JSON.stringify({ at_Fault: 'no' }),
        fields: JSON.stringify({}),
        decisions: JSON.stringify([{ rule: 'qualification' }]),
      })
      .execute();
    const lead = await db.selectFrom('leads').selectAll().executeTakeFirstOrThrow();
    expect(lead).toMatchObject({
      state: 'accepted',
      revision: 1,
      answers: { at_Fault: 'no' },
      decisions: [{ rule: 'qualification' }],
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
