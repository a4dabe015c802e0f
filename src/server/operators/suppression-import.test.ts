import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { testVisitor } from '../../../tests/support/leads.ts';
import {
  ana,
  clearLedger,
  dumpOf,
  emailKey,
  phoneKey,
  seedLead,
} from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { people, personKey } from '../../../tests/support/person-keys.ts';
import { createTakeOptOut } from '../site-forms/take-opt-out.ts';
import { createOptOutStore } from './opt-out.ts';
import { undoRequests } from './opt-out-review.ts';
import { importSuppressions, listImports } from './suppression-import.ts';
import { listSuppressions, lookUpSuppression } from './suppression-list.ts';
import { matchHashes } from './suppression-matching.ts';

const { pool } = await databaseForTests(clearLedger);

const load = (csv: string) => importSuppressions(people(pool), Readable.from([csv]), 'boss');
const deliveryState = async () => (await pool.query('select state from deliveries')).rows;

test('addresses, numbers and own keys are added once; bad lines say why without repeating them', async () => {
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
  ].join('\r\n');
  const refused = [
    { line: 6, reason: expect.stringContaining('second column') },
    { line: 7, reason: expect.stringContaining('Neither') },
    { line: 8, reason: 'That is not an e-mail address.' },
    { line: 9, reason: expect.stringContaining('Neither') },
  ];
  expect(await load(csv)).toMatchObject({ added: 3, known: 0, hashes: 0, refused });
  expect(await deliveryState()).toEqual([{ state: 'suppressed' }]);
  const again = await load(csv);
  expect(again).toMatchObject({ added: 0, known: 3 });
  expect(JSON.stringify(again)).not.toMatch(/nobody|a@b/);
  expect((await pool.query('select 1 from lead_events')).rowCount).toBe(1);
  expect(await listImports(pool, 5)).toMatchObject([
    { added: 0, known: 3, refused: 4, finishedAt: expect.any(Date) },
    { added: 3, known: 0, actor: 'boss' },
  ]);
});

test('an import keeps persons on the list though the flood of requests that put them there is undone', async () => {
  const take = createTakeOptOut(
    createOptOutStore(pool, { perAddressPerHour: 0, alertPerHour: 0 }, () => undefined),
    personKey,
  );
  await take({ email: ana.email }, 'en', testVisitor);
  await take({ email: 'bea@mail.example' }, 'en', testVisitor);
  expect(await load(`${ana.email}\n`)).toMatchObject({ added: 0, known: 1 });
  const undone = await undoRequests({ pool }, {}, { actor: 'boss', isDryRun: false });
  expect(undone).toMatchObject({ requests: 2, keys: 1, kept: 1 });
  expect((await pool.query('select key, actor from suppressions')).rows).toEqual([
    { key: emailKey(ana.email), actor: 'boss' },
  ]);
});

test.each([
  ['SHA-256 of an address', hash('sha256', ana.email.toLowerCase()), emailKey(ana.email)],
  [
    'MD5 of an address, in capitals',
    hash('md5', ana.email.toLowerCase()).toUpperCase(),
    emailKey(ana.email),
  ],
  ['SHA-256 of a number', hash('sha256', '+15125550123'), phoneKey(ana.phone)],
])('finds the lead of a %s, then forgets the hash', async (_, written, key) => {
  await seedLead(pool, { deliveries: [{ state: 'waiting' }] });
  await seedLead(pool, { revisions: [{ email: 'bea@mail.example' }] });
  expect(await load(`${written}\n${'0'.repeat(64)}\n`)).toMatchObject({ added: 0, hashes: 2 });
  expect(await listImports(pool, 1)).toMatchObject([{ finishedAt: null }]);
  await matchHashes(pool);
  expect(await listImports(pool, 1)).toMatchObject([
    { compared: 2, matched: 1, finishedAt: expect.any(Date) },
  ]);
  expect((await pool.query('select key from suppressions')).rows).toEqual([{ key }]);
  expect(await deliveryState()).toEqual([{ state: 'suppressed' }]);
  expect(await dumpOf(pool)).not.toContain(written.toLowerCase());
});

test('an import that paused until its comparison began is not taken for whole', async () => {
  await seedLead(pool);
  const hashOf = (n: number) => hash('sha256', `${n}`);
  async function* paused() {
    yield Array.from({ length: 1_100 }, (_, n) => `${hashOf(n)}\n`).join('');
    await vi.waitFor(async () =>
      expect(await listImports(pool, 1)).toMatchObject([{ hashes: 1_000 }]),
    );
    await pool.query('update suppression_imports set leased_until = now()');
    await matchHashes(pool);
    yield `${hash('sha256', ana.email.toLowerCase())}\n`;
  }
  const importing = importSuppressions(people(pool), Readable.from(paused()), 'boss');
  await expect(importing).rejects.toThrow('import the same file again');
  expect((await pool.query('select 1 from suppression_import_hashes')).rowCount).toBe(0);
});

test('a comparison that stopped goes on where it was, and one that is leased is left alone', async () => {
  for (const email of ['a@mail.example', 'b@mail.example']) {
    await seedLead(pool, { revisions: [{ email }] });
  }
  const { rows } = await pool.query<{ lead_id: string; email_key: string }>(
    'select lead_id, email_key from lead_revisions order by lead_id',
  );
  await load(['a', 'b'].map((name) => hash('sha256', `${name}@mail.example`)).join('\n'));
  await pool.query(`update suppression_imports set leased_until = now() + interval '1 hour'`);
  await matchHashes(pool);
  expect(await listImports(pool, 1)).toMatchObject([{ compared: 0, finishedAt: null }]);
  await pool.query(
    'update suppression_imports set leased_until = now(), lead_id = $1, revision = 1',
    [rows[0]?.lead_id],
  );
  await matchHashes(pool);
  expect((await pool.query('select key from suppressions')).rows).toEqual([
    { key: rows[1]?.email_key },
  ]);
});

test('more than one portion, and a quote that is never closed', async () => {
  const numbers = Array.from({ length: 2_500 }, (_, index) => String(2_125_550_000 + index));
  const done = await load(`${numbers.join('\n')}\n"${'x'.repeat(2_000)}\n"${ana.email}`);
  expect(done).toMatchObject({ added: 2_501, refused: [{ line: 2_501 }] });
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await listSuppressions(pool, { after, limit: 1_000 });
    seen.push(...page.entries.map(({ keyStart }) => keyStart));
    after = page.next ?? undefined;
  } while (after !== undefined);
  expect(new Set(seen).size).toBe(2_501);
  expect(await lookUpSuppression(people(pool), '(212) 555-0007')).toMatchObject({
    entries: [{ kind: 'phone', actor: 'boss' }],
    leads: 0,
  });
});
