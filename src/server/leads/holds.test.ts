import { expect, it, test } from 'vitest';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import { testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import { ana, clearLedger, emailKey, phoneKey, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import { hasOtherLead } from './lead-store.ts';

const lead_id = String(testLead().lead_id);
const database = await databaseForTests(clearLedger);

/** Posts a lead that is held, and releases it as an operator does. */
async function releasedLead(given: Record<string, unknown>, options = {}) {
  const test = testAcceptLead(options);
  await test.post(testLead(given));
  expect(test.lead().state).toBe('held');
  test.revisions().splice(0, 1, { ...test.lead(), state: 'accepted' });
  const reasons = () =>
    test.lead().problems.flatMap(({ problem, reason }) => (problem === 'held' ? [reason] : []));
  return { ...test, reasons };
}

it('a later post with another phone number removes the hold reason `same_person`', async () => {
  const isSamePersonAgain = async ({ phoneKey }: { phoneKey: string | null }) =>
    phoneKey === personKey('phone', '5125550123');
  const { post, lead, reasons } = await releasedLead(
    { phone: '(512) 555-0123' },
    { isSamePersonAgain },
  );
  expect(reasons()).toEqual(['same_person']);
  await post({ lead_id, sub_id2: 'later' });
  expect([lead().state, reasons()]).toEqual(['accepted', ['same_person']]);
  await post({ lead_id, phone: '(512) 555-0147' });
  expect(reasons()).toEqual([]);
});

it('a released lead stays released if a later post does not change the fields that caused the hold', async () => {
  const { post, lead, reasons } = await releasedLead({ tcpa: '' });
  for (const n of [1, 2, 3]) {
    await post({ lead_id, sub_id2: `later-${n}` });
    expect(lead()).toMatchObject({ state: 'accepted', revision: n + 1 });
    expect(lead().deliveries).toMatchObject([{ state: 'waiting' }]);
    expect(reasons()).toEqual(['no_consent']);
  }
});

it.each([
  ['another consent text', { tcpa: 'Fine.' }, { tcpa: 'I agree.' }, 'consent_other_text'],
  ['an unusable phone number', { tcpa: 'Fine.' }, { phone: '12' }, 'no_usable_phone'],
  ['another phone number', { tcpa: 'Fine.' }, { phone: '(212) 555-0188' }, 'consent_other_text'],
  ['another e-mail address', { tcpa: '' }, { email: 'eve@mail.example' }, 'no_consent'],
])('a released lead is held again if a later post has %s', async (_, first, later, reason) => {
  const { post, lead, reasons } = await releasedLead(first);
  await post(testLead({ ...first, ...later }));
  expect(lead()).toMatchObject({ state: 'held', revision: 2 });
  expect(lead().deliveries).toMatchObject([{ state: 'held' }]);
  expect(reasons()).toContain(reason);
  await post({ lead_id, sub_id2: 'x' });
  expect(lead()).toMatchObject({ state: 'held', revision: 3 });
});

it('a later post with the consent removes the hold reason `no_consent`', async () => {
  const { post, lead, reasons } = await releasedLead({ tcpa: '' });
  await post(testLead(publishedTcpa()));
  expect(lead()).toMatchObject({ state: 'accepted', revision: 2 });
  expect(reasons()).toEqual([]);
});

test('hasOtherLead finds a recent other lead with the same e-mail address or phone number', async () => {
  const { pool } = database;
  const first = await seedLead(pool);
  const keys = { emailKey: emailKey(ana.email), phoneKey: phoneKey(ana.phone) };
  const isFound = (changes: Partial<typeof keys & { id: string }> = {}) =>
    hasOtherLead(pool, { id: lead_id, ...keys, ...changes }, 30);
  expect(await isFound({ emailKey: emailKey('bea@mail.example') })).toBe(true);
  expect(await isFound({ phoneKey: phoneKey('7375550199') })).toBe(true);
  expect(await isFound({ id: first })).toBe(false);
  await pool.query(`update leads set created_at = now() - interval '31 days'`);
  expect(await isFound()).toBe(false);
});
