import { afterAll, expect, test } from 'vitest';
import { consoleForTests, emailOf } from '../../../../tests/support/console.ts';
import { clearLedger, seedLead } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import type { OutcomeImport, OutcomeListAnswer } from '../../../model/messages/console/returns.ts';
import { buyersArea } from './buyers.ts';

const database = await databaseForTests(async (own) => {
  await clearLedger(own);
  await own.query('truncate outcomes, money_entries');
});
const { pool } = database;
const { app, get, post } = await consoleForTests(database, { areas: [buyersArea] });
afterAll(() => app.close());

const csv = `Lead ID;Status;Reason;Amount;Date;Note
LP-1;Returned;Bad contact;;2026-11-20;ann@mail.example
LP-1;returned;bad-contact;;2026-11-20;
LP-2;Settled;;"$25,000.00";2026-11-21;
LP-3;won;;;2026-11-21;
`;
const importFile = async (isDryRun: boolean, more: object = {}) =>
  post('/api/outcomes/import', { destination: 'ingest', csv, isDryRun, ...more }, 'operator');

test('a file is tried, then imported; a return in it is decided with a reason, and logged', async () => {
  const leadId = await seedLead(pool, {
    deliveries: [{ state: 'delivered', externalId: 'LP-1', finishedAt: '2026-11-19T12:00:00Z' }],
  });
  const read = {
    stored: 3,
    repeated: 0,
    unknown: 1,
    refused: [{ line: 5, reason: expect.stringContaining('"outcome"') }],
  };
  expect((await importFile(true)).json<OutcomeImport>()).toEqual(read);
  expect((await importFile(false)).json()).toEqual(read);
  expect((await importFile(false)).json()).toMatchObject({ stored: 0, repeated: 3, unknown: 0 });
  const { outcomes: returns } = (
    await get('/api/outcomes?list=open', 'viewer')
  ).json<OutcomeListAnswer>();
  expect(returns).toMatchObject([
    { leadId, buyer: 'ingest', reason: 'bad_contact', amount: 0, terms: null },
    { leadId },
  ]);
  expect((await get('/api/outcomes?list=unknown')).json()).toMatchObject({
    outcomes: [{ reference: 'LP-2', kind: 'settled' }],
    next: null,
  });
  const body = { id: returns[0]?.id, leadId, decision: 'accepted', reason: 'the number is dead' };
  expect((await post('/api/returns/decide', body, 'viewer')).statusCode).toBe(403);
  expect((await post('/api/returns/decide', body, 'operator')).statusCode).toBe(200);
  expect((await post('/api/returns/decide', body, 'operator')).statusCode).toBe(409);
  expect((await get('/api/outcomes?list=decided')).json()).toMatchObject({
    outcomes: [{ decidedBy: emailOf('operator') }, {}],
  });
  const reasonsFor = async (role: 'viewer' | 'operator') =>
    (await get('/api/outcomes?list=decided', role))
      .json<OutcomeListAnswer>()
      .outcomes.map(({ decisionReason }) => decisionReason);
  expect(await reasonsFor('operator')).toEqual([body.reason, body.reason]);
  expect(await reasonsFor('viewer')).toEqual(Array(2).fill('a reason that operators can read'));
  const { rows } = await pool.query(
    `select action, subject from audit_log where action like 'return%' or action like 'outcome%' order by id`,
  );
  expect(rows.map(({ action }) => action)).toEqual([
    ...Array(2).fill('outcomes.imported'),
    ...Array(2).fill('return.accepted'),
  ]);
});

test('a file without its columns, or of no buyer, is refused', async () => {
  expect((await importFile(true, { csv: 'a,b\n1,2\n' })).json().detail).toContain('"outcome"');
  expect((await importFile(true, { destination: 'webhook' })).json().detail).toContain(
    'no such buyer',
  );
});
