import { afterAll, expect, test } from 'vitest';
import { consoleForTests, emailOf } from '../../../../tests/support/console.ts';
import { testVisitor } from '../../../../tests/support/leads.ts';
import {
  ana,
  clearLedger,
  emailKey,
  seedLead,
  seedVisit,
} from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { people } from '../../../../tests/support/person-keys.ts';
import type {
  ErasureAnswer,
  ErasureListAnswer,
  OptOutListAnswer,
  Revocation,
  SuppressionImport,
  SuppressionListAnswer,
  SuppressionLookup,
} from '../../../model/messages/console/people-requests.ts';
import { REMOVED_REASON } from '../../privacy/forget-reasons.ts';
import { createTakeOptOut } from '../../privacy/opt-out.ts';
import { erasuresArea, optOutsArea, suppressionsArea } from './requests.ts';

const database = await databaseForTests(clearLedger);
const { pool } = database;
const { app, get, post, woken } = await consoleForTests(database, {
  areas: [suppressionsArea, optOutsArea, erasuresArea],
});
afterAll(() => app.close());

const reason = 'asked by phone';
const limits = { perAddressPerHour: 1, alertPerHour: 0 };
const takeOptOut = createTakeOptOut(people(pool), limits, () => undefined);
const stateOf = async () => (await pool.query('select state from deliveries')).rows;
const logged = async () =>
  (
    await pool.query<{ actor: string; action: string; subject: string; reason: string }>(
      'select actor, action, subject, reason from audit_log order by id desc limit 1',
    )
  ).rows[0];
/** All personal values of Ana, who is the test visitor. */
const personal = [...Object.values(ana), '(512) 555-0123', testVisitor.address];

test('the audit log never names a person who is added to the suppression list', async () => {
  await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
  const body = { person: ` ${ana.email} `, reason };
  expect((await post('/api/suppressions/look-up', body)).json<SuppressionLookup>()).toEqual({
    entries: [],
    unlisted: 1,
    leads: 1,
  });
  const added = await post('/api/suppressions/add', body, 'operator');
  expect(added.json()).toMatchObject({ stopped: 1 });
  expect(await stateOf()).toEqual([{ state: 'suppressed' }]);
  expect(await logged()).toEqual({
    actor: emailOf('operator'),
    action: 'person.suppressed',
    reason,
    subject: `email ${emailKey(ana.email).slice(0, 12)}`,
  });
  const list = (await get('/api/suppressions', 'viewer')).json<SuppressionListAnswer>();
  expect(list.entries).toMatchObject([{ kind: 'email', actor: emailOf('operator') }]);
  expect((await post('/api/suppressions/look-up', body)).json()).toMatchObject({
    entries: [{ kind: 'email' }],
    unlisted: 0,
  });
  expect((await post('/api/suppressions/remove', body)).json()).toMatchObject({ keys: 1 });
  expect((await post('/api/suppressions/remove', body)).statusCode).toBe(409);
  expect((await get('/api/suppressions?after=x')).statusCode).toBe(400);
});

test.each([
  ['asked_by_email', 'email'],
  ['It was the wrong person', 'operator'],
])('the reason "%s" of a suppression says how the person revoked consent', async (why, source) => {
  await seedLead(pool, { deliveries: [{ state: 'delivered', revision: 1 }] });
  const body = { person: ana.email, reason: why };
  expect((await post('/api/suppressions/add', body)).statusCode).toBe(200);
  const { entries } = (await get('/api/suppressions')).json<SuppressionListAnswer>();
  expect(entries).toMatchObject([{ source }]);
  const revocations = (await get('/api/revocations')).json<Revocation[]>();
  const confirmBy = expect.stringMatching(/^20\d\d-\d\d-\d\d$/);
  expect(revocations).toMatchObject([{ title: 'Lead Prosper', confirmBy, source, toldAt: null }]);
});

test('an import of suppressed persons reports the numbers of added and refused lines', async () => {
  const csv = `${ana.email}\nnobody at all\n`;
  const done = (
    await post('/api/suppressions/import', { csv, isDryRun: false, reason })
  ).json<SuppressionImport>();
  expect(done).toMatchObject({
    added: 1,
    known: 0,
    refused: [{ line: 2, reason: expect.stringContaining('Neither') }],
  });
  expect(await logged()).toMatchObject({ action: 'suppressions.imported', reason });
});

test('undoing a sender’s do-not-sell requests resumes the stopped deliveries', async () => {
  await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
  await takeOptOut({ email: 'first@mail.example' }, 'en', testVisitor);
  await takeOptOut({ email: ana.email, phone: ana.phone, name: ana.first_name }, 'en', testVisitor);
  const answer = await get('/api/opt-outs', 'viewer');
  for (const value of [...personal, 'first@mail']) expect(answer.body).not.toContain(value);
  const { requests, waiting } = answer.json<OptOutListAnswer>();
  expect(waiting).toBe(1);
  expect(requests).toMatchObject([
    { outcome: 'waiting', isLate: false, stopped: 0, ofSameSender: 2 },
    { outcome: 'honoured', isLate: false, ofSameSender: 2 },
  ]);
  const path = `/api/opt-outs/${requests[0]?.id}`;
  const one = { reason, scope: 'one' };
  expect((await post(`${path}/honour`, { scope: 'one' })).statusCode).toBe(400);
  expect((await post(`${path}/honour`, one)).json()).toMatchObject({ requests: 1 });
  expect((await post(`${path}/honour`, one)).statusCode).toBe(409);
  expect(await stateOf()).toEqual([{ state: 'suppressed' }]);
  const before = woken.count;
  expect((await post(`${path}/undo`, { reason, scope: 'sender' })).json()).toEqual({ requests: 2 });
  expect(await stateOf()).toEqual([{ state: 'waiting' }]);
  expect(woken.count).toBe(before + 1);
  expect(await logged()).toMatchObject({
    action: 'opt_out.undone',
    subject: `request ${requests[0]?.id}`,
  });
});

test('a confirmed erasure leaves a receipt without personal values', async () => {
  const lead = await seedLead(pool, {
    deliveries: [{ state: 'delivered', revision: 1, externalId: 'LP-1' }],
  });
  const visit = await seedVisit(pool, { email: ana.email });
  const body = { person: ana.phone, reason };
  const plan = (await post('/api/erasures/plan', body)).json<ErasureAnswer>();
  expect(plan).toMatchObject({ leads: [lead], visits: [] });
  const unconfirmed = await post('/api/erasures', { ...body, confirm: 'yes' });
  expect(unconfirmed.statusCode).toBe(400);
  expect(unconfirmed.body).toContain('Nothing was erased');
  const byEmail = { person: ana.email, reason, confirm: 'Erase ' };
  expect((await post('/api/erasures', byEmail)).json()).toMatchObject({
    leads: [lead],
    visits: [visit],
  });
  expect(await logged()).toMatchObject({
    action: 'person.erased',
    actor: emailOf('admin'),
    reason: REMOVED_REASON,
  });
  const answer = await get('/api/erasures', 'viewer');
  for (const value of personal) expect(answer.body).not.toContain(value);
  const proof = { destination: 'ingest', state: 'delivered', external_id: 'LP-1' };
  expect(answer.json<ErasureListAnswer>().erasures).toContainEqual(
    expect.objectContaining({ leadId: lead, deliveries: [proof], isVisit: false }),
  );
  expect((await post('/api/erasures/plan', body)).statusCode).toBe(404);
});
