import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { consoleForTests, emailOf, type TestConsole } from '../../../../tests/support/console.ts';
import { randomSummary, seedSummaries } from '../../../../tests/support/lead-summaries.ts';
import { ana, clearLedger, seedLead } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { seededRandom } from '../../../../tests/support/seeded-random.ts';
import { leadListArea } from './leads.ts';

const database = await databaseForTests();
const { pool } = database;
let site: TestConsole;
let id: string;
beforeAll(async () => {
  site = await consoleForTests(database, { areas: [leadListArea] });
});
afterAll(() => site.app.close());
beforeEach(async () => {
  await clearLedger(pool);
  await pool.query('truncate visit_summaries, audit_log');
  id = await seedLead(pool, { deliveries: [{ state: 'dead' }] });
  const row = randomSummary(seededRandom('routes'));
  await seedSummaries(pool, [
    { ...row, lead_id: id, is_test: false, received_at: row.began_at, name_key: 'diazcarrera ana' },
  ]);
});

const request = { format: 'csv', filter: {}, reason: ' for the buyer ' };
async function audited() {
  const { rows } = await pool.query<Record<'actor' | 'action' | 'subject' | 'reason', string>>(
    `select actor, action, subject, reason, detail from audit_log
     where action like 'lead%' or action like 'view%' order by id`,
  );
  return rows;
}

test('the lead list shows viewers no full names', async () => {
  const list = await site.get('/api/leads?limit=5', 'viewer');
  expect(list.json()).toMatchObject({ rows: [{ id, name: 'A… D…' }], next: null });
  for (const q of ['diaz', ana.email, ana.phone]) {
    for (const path of ['leads', 'leads/count', 'leads/newer']) {
      const url = `/api/${path}?q=${encodeURIComponent(q)}`;
      expect((await site.get(url, 'viewer')).statusCode, url).toBe(403);
      expect((await site.get(url, 'operator')).statusCode, url).toBe(200);
    }
  }
  const values = (await site.get('/api/lead-values?key=language', 'viewer')).json().values;
  expect(values).toHaveLength(1);
});

test.each([
  'leads?from=2026-02-30',
  'leads?after=x',
  'leads?limit=1000',
  'leads?source=a&source=b',
  'leads/count?q=%25',
  'lead-values?key=email',
])('the invalid query GET /api/%s gets 400 with a message', async (path) => {
  const answer = await site.get(`/api/${path}`, 'operator');
  expect(answer.statusCode).toBe(400);
  expect(answer.json().detail).toMatch(/\w+ \w+/);
});

test('an export of leads adds an audit entry', async () => {
  const filter = { q: ana.email };
  const answer = await site.post('/api/leads/export', { ...request, filter }, 'operator');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="leads.csv"',
    'cache-control': 'no-store',
  });
  expect(answer.body).toMatch(new RegExp(`^lead_id,.*\\r\\n${id},.*${ana.email}.*\\r\\n$`));
  expect(await audited()).toMatchObject([
    {
      actor: emailOf('operator'),
      action: 'leads.exported',
      reason: 'for the buyer',
      detail: { format: 'csv', filter: { q: '(email)' } },
    },
  ]);
});

test('an export of leads is refused if the audit log cannot be written', async () => {
  await pool.query('alter table audit_log rename to audit_log_away');
  const answer = await site.post('/api/leads/export', request, 'operator');
  await pool.query('alter table audit_log_away rename to audit_log');
  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toContain(ana.email);
});

test.each([{ reason: ' ' }, { filter: { desination: 'webhook' } }])(
  'an export with %j is refused',
  async (change) => {
    const answer = await site.post('/api/leads/export', { ...request, ...change }, 'operator');
    expect(answer.statusCode).toBe(400);
    expect(await audited()).toEqual([]);
  },
);
