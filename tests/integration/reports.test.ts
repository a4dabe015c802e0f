/** Tests the SQL for reports in docs/operations.md#sql. */
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { ana, seedLead } from '../support/ledger.ts';
import { databaseForTests } from '../support/own-database.ts';

const { connectionString, pool } = await databaseForTests();
const text = await readFile('docs/operations.md', 'utf8');
const section = /\n### SQL\n([\s\S]*?)\n### /.exec(text)?.[1] ?? '';
const [setUp = '', examples = ''] = [...section.matchAll(/```sql\n([\s\S]*?)```/g)].map(
  ([, statements]) => statements,
);

test('the database role for reports can run only the statements in docs/operations.md', async () => {
  const id = await seedLead(pool, {
    deliveries: [{ state: 'delivered' }],
    createdAt: '2026-07-01T12:00:00Z',
  });
  await pool.query(
    `insert into deliveries (id, lead_id, destination, state) values (gen_random_uuid(), $1, 'other', 'dead')`,
    [id],
  );
  await pool.query(
    `insert into money_entries (id, key, kind, amount, currency, at, about, source, actor)
     values (gen_random_uuid(), 'k', 'cost', -12.5, 'USD', now(), '{"source":"bing"}', 'import', 'x')`,
  );
  const role = `reader_${id.replaceAll('-', '')}`;
  const superuser = new pg.Client(withDatabaseOf(inject('testCluster').adminUrl));
  await superuser.connect();
  const url = new URL(connectionString);
  Object.assign(url, { username: role, password: 'choose one' });
  const reader = new pg.Client(url.href);
  try {
    await superuser.query(setUp.replaceAll('reader', role));
    await reader.connect();
    const [days, rates, answers, money] = (await reader.query(
      examples.replace(/'01920000-[\w-]+'/, `'${id}'`),
    )) as unknown as pg.QueryResult[];
    expect(days?.rows).toEqual([{ day: expect.any(Date), state: 'accepted', leads: '1' }]);
    expect(rates?.rows).toEqual([
      { destination: 'ingest', deliveries: '1', percent: '100.0' },
      { destination: 'other', deliveries: '1', percent: '0.0' },
    ]);
    expect(answers?.rows).toContainEqual({ question: 'first_name', answer: ana.first_name });
    expect(money?.rows).toEqual([{ source: 'bing', revenue: null, cost: '12.5000' }]);
    for (const view of ['leads', 'clicks', 'consents']) {
      expect((await reader.query(`select * from report.${view}`)).rowCount, view).toBe(1);
    }
    for (const refused of ['select * from leads', 'delete from consents']) {
      await expect(reader.query(refused)).rejects.toMatchObject({ code: '42501' });
    }
  } finally {
    await reader.end();
    await superuser.query(`drop owned by ${role}`);
    await superuser.query(`drop role ${role}`);
    await superuser.end();
  }
});

/** Returns the superuser's URL of this test's database. */
function withDatabaseOf(adminUrl: string): string {
  const url = new URL(adminUrl);
  url.pathname = new URL(connectionString).pathname;
  return url.href;
}
