import { afterAll, expect, test } from 'vitest';
import { consoleForTests } from '../../../../tests/support/console.ts';
import { clearLedger, seedLead } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import type {
  Comparison,
  Difference,
  Statement,
} from '../../../model/messages/console/statements.ts';
import { buyersArea } from './buyers.ts';

const database = await databaseForTests(async (pool) => {
  await clearLedger(pool);
  await pool.query('truncate statements, audit_log cascade');
});
const { pool } = database;
const { app, get, post } = await consoleForTests(database, { areas: [buyersArea] });
afterAll(() => app.close());

const statement = {
  destination: 'ingest',
  fileName: 'november.csv',
  csv: 'id,price,status,date\nLP-1,12.50,sold,2026-11-03\n=LP-2,9.00,sold,2026-11-04\nLP-3,9,sold,\n',
  isDryRun: false,
};
const audited = async () =>
  (
    await pool.query(
      `select action, reason, detail from audit_log where action like 'statement.%' order by id`,
    )
  ).rows;

test('an operator compares a statement, disputes a difference and exports the disputes', async () => {
  await seedLead(pool, { deliveries: [{ state: 'delivered', externalId: 'LP-1' }] });
  const dry = await post('/api/statements', { ...statement, isDryRun: true });
  expect(dry.json()).toMatchObject({ found: 2, refused: [{ line: 3 }] });
  expect(await audited()).toEqual([]);

  const { id } = (await post('/api/statements', statement)).json<Comparison>();
  const list = (await get('/api/statements', 'viewer')).json<Statement[]>();
  expect(list).toMatchObject([
    { id, buyer: 'ingest', ours: 0, theirs: 21.5, lastDay: '2026-11-03' },
  ]);
  const differences = (await get(`/api/statements/${id}`, 'viewer')).json<Difference[]>();
  expect(differences).toMatchObject([{ reference: 'LP-1' }, { reference: 'LP-3' }]);

  const number = differences[0]?.number;
  const decision = { number, state: 'disputed', reason: 'not at this price' };
  expect((await post(`/api/statements/${id}/decide`, decision)).statusCode).toBe(200);
  const notes = async (role: 'viewer' | 'operator') =>
    (await get(`/api/statements/${id}`, role)).json<Difference[]>().map(({ note }) => note);
  expect(await notes('operator')).toContain('not at this price');
  expect(await notes('viewer')).not.toContain('not at this price');
  const file = await post(`/api/statements/${id}/disputes`, {});
  expect(file.headers['content-disposition']).toContain('disputes.csv');
  expect(file.body.split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^LP-1,[\da-f-]{36},price,"sold, \$0.00","sold, \$12.50",12.50,not at/),
    '',
  ]);
  expect(await audited()).toMatchObject([
    { action: 'statement.compared', detail: { file: 'november.csv' } },
    { action: 'statement.decided', reason: '', detail: { number, state: 'disputed' } },
    { action: 'statement.exported', detail: { disputes: 1 } },
  ]);
});

test('a viewer cannot upload or decide, and a buyer must be known', async () => {
  expect((await post('/api/statements', statement, 'viewer')).statusCode).toBe(403);
  const unknown = await post('/api/statements', { ...statement, destination: 'nobody' });
  expect([unknown.statusCode, unknown.json().detail]).toEqual([400, 'There is no such buyer.']);
});
