import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import { ana, clearLedger, emailKey, phoneKey, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people } from '../../../tests/support/person-keys.ts';
import { createTakeOptOut } from './opt-out.ts';
import { undoRequests } from './opt-out-review.ts';
import { importSuppressions } from './suppression-import.ts';

const { pool } = await databaseForTests(clearLedger);

const load = (csv: string, isDryRun = false) =>
  importSuppressions(people(pool), csv, { actor: 'boss', isDryRun });
const deliveryState = async () => (await pool.query('select state from deliveries')).rows;

test('an import adds e-mail addresses, phone numbers and person keys to the suppression list', async () => {
  await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
  const csv = [
    '\ufeffvalue;kind',
    ` ${ana.email.toUpperCase()} `,
    '"(512) 555-0188"',
    `${emailKey('bea@mail.example')};email`,
    '',
    `${phoneKey('7375550199')}`,
    'nobody',
    'a@b@c',
    '12345',
    hash('sha256', ana.email),
  ].join('\r\n');
  const refused = [
    { line: 6, reason: expect.stringContaining('second column') },
    { line: 7, reason: expect.stringContaining('Neither') },
    { line: 8, reason: 'That is not an e-mail address.' },
    { line: 9, reason: expect.stringContaining('Neither') },
    { line: 10, reason: expect.stringContaining('Neither an e-mail') },
  ];
  expect(await load(csv, true)).toMatchObject({ added: 3, known: 0, refused });
  expect(await deliveryState()).toEqual([{ state: 'waiting' }]);
  expect(await load(csv)).toMatchObject({ added: 3, known: 0, refused });
  expect(await deliveryState()).toEqual([{ state: 'suppressed' }]);
  const again = await load(csv);
  expect(again).toMatchObject({ added: 0, known: 3 });
  expect(JSON.stringify(again)).not.toMatch(/nobody|a@b/);
  expect((await pool.query('select 1 from lead_events')).rowCount).toBe(1);
});

test('an imported person stays suppressed after a flood of requests is undone', async () => {
  const take = createTakeOptOut(
    people(pool),
    { perAddressPerHour: 0, alertPerHour: 0 },
    () => undefined,
  );
  await take({ email: ana.email }, 'en', testVisitor);
  await take({ email: 'bea@mail.example' }, 'en', testVisitor);
  expect(await load(`${ana.email}\n`)).toMatchObject({ added: 0, known: 1 });
  expect(await undoRequests(pool, {}, 'boss')).toBe(2);
  expect((await pool.query('select key, actor from suppressions')).rows).toEqual([
    { key: emailKey(ana.email), actor: 'boss' },
  ]);
});
