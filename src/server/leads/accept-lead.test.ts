import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  hashOfSecret,
  strangersSecret,
  testAcceptLead,
  testLead,
} from '../../../tests/support/leads.ts';
import type { LeadStatus } from '../../model/lead/lead-record.ts';
import { LeadErasedError, StoreUnavailableError } from '../platform/errors.ts';

const seed = Number(process.env.SEED) || Date.now() % 2 ** 31;

it('the invalid values of an accepted lead are listed as problems', async () => {
  const { post, lead } = testAcceptLead();
  await post(
    testLead({
      at_Fault: 'perhaps',
      case_description: 'Ouch',
      zip_code: '00000',
      favourite_colour: 'red',
      missed_work: 'yes',
    }),
  );
  const marks = lead().problems.map(({ problem, field, reason }) => [problem, field, reason]);
  expect(marks).toEqual(
    expect.arrayContaining([
      ['bad_value', 'at_Fault', 'invalid'],
      ['bad_value', 'case_description', 'too_short'],
      ['bad_value', 'zip_code', 'unknown_zip'],
      ['unknown_field', 'favourite_colour', undefined],
      ['incomplete', undefined, 'AtFault'],
    ]),
  );
  expect(lead().body).toMatchObject({ favourite_colour: 'red', at_Fault: 'perhaps' });
  expect(lead().deliveries[0]?.state).toBe('waiting');
});

it.each([
  ['an unknown survey', { survey: '/survey/none' }, 'unknown_survey'],
  ['no survey', { survey: undefined }, 'unknown_survey'],
  ['an unusable phone', { phone: '12' }, 'no_usable_phone'],
  ['no phone', { phone: '' }, 'no_usable_phone'],
  ['no consent', { tcpa: '' }, 'no_consent'],
])('a lead with %s is held', async (_, given, reason) => {
  const { post, lead } = testAcceptLead();
  await post(testLead(given));
  expect(lead()).toMatchObject({ state: 'held', deliveries: [{ state: 'held' }] });
  expect(lead().problems).toContainEqual({ problem: 'held', reason });
});

it('an arbitrary JSON object with a lead id is stored with all its values', async () => {
  const anything = fc.dictionary(
    fc.oneof(fc.constantFrom(...Object.keys(testLead())), fc.string()),
    fc.jsonValue(),
  );
  await fc.assert(
    fc.asyncProperty(anything, async (given) => {
      const { post, lead } = testAcceptLead();
      const body = { ...given, lead_id: testLead().lead_id };
      await post(body);
      expect(JSON.stringify(lead().body).length).toBeGreaterThan(0);
      for (const name of Object.keys(given)) expect(lead().body).toHaveProperty([name]);
      for (const value of Object.values(lead().fields)) expect(typeof value).toBe('string');
    }),
    { numRuns: 200, seed },
  );
});

it('a later post with a complete survey replaces all earlier answers', async () => {
  const { post, lead } = testAcceptLead();
  const hurt = { physical_injury: 'Yes', specific_injury: 'Whiplash', doctor_treatment: 'yes' };
  const ran = { hit_and_run: 'yes', hit_and_run_identified: 'yes' };
  await post(testLead({ ...hurt, ...ran, partial_fault: 'yes', at_Fault: 'yes' }));
  expect(lead().fields).toMatchObject({ specific_injury: 'Whiplash', partial_fault: 'yes' });
  expect(lead().fields.case_description).toMatch(/-- the driver was identified$/);
  const { specific_injury: _, ...unhurt } = testLead({ physical_injury: 'No', at_Fault: 'yes' });
  await post(unhurt);
  expect(lead()).toMatchObject({ qualified: false, dqReason: 'physical_injury|No' });
  for (const name of ['specific_injury', 'partial_fault', 'hit_and_run_identified']) {
    expect(lead().fields).not.toHaveProperty(name);
  }
  expect(lead().fields.case_description).not.toMatch(/driver was identified/);
  expect(lead().change.fields).toEqual(
    expect.arrayContaining(['partial_fault', 'physical_injury', 'specific_injury']),
  );
});

it('only the first post decides whether a lead is a test lead', async () => {
  const { post, lead } = testAcceptLead();
  await post(testLead({ lp_action: 'test' }));
  await post(testLead({ lp_action: 'live', email: 'b@mail.example' }));
  expect(lead().isTest).toBe(true);
  const sale = testAcceptLead();
  await sale.post(testLead());
  await sale.post(testLead({ lp_action: 'test' }));
  expect(sale.lead()).toMatchObject({ isTest: false, revision: 2 });
});

it('a post is refused if the merged lead would have over 200 unknown fields', async () => {
  const unknown = (count: number, prefix: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}_${n}`, '']));
  const { post, revisions, store } = testAcceptLead();
  const tooMany = expect.objectContaining({ reason: 'too_many_fields' });
  await expect(post(testLead(unknown(201, 'a')))).rejects.toEqual(tooMany);
  expect(store.visits.size).toBe(0);
  await post(testLead(unknown(200, 'a')));
  await expect(post(testLead(unknown(1, 'b')))).rejects.toEqual(tooMany);
  await post(testLead({ ...unknown(200, 'a'), a_1: 'x' }));
  expect(revisions()).toHaveLength(2);
});

it('a lead of the benefits survey is delivered to no destination', async () => {
  const { post, lead } = testAcceptLead();
  await post(testLead({ survey: '/benefits' }));
  expect(lead().deliveries).toEqual([]);
});

it('a lead is verified after each authorized post that adds a revision', async () => {
  const verified: number[] = [];
  const prepareVerification =
    ({ revision }: { revision: number }) =>
    () =>
      void verified.push(revision);
  const { post } = testAcceptLead({ prepareVerification });
  await post(testLead());
  await post(testLead());
  await post(testLead({ address: '1 Main Street' }));
  await post(testLead({ address: '2 Main Street' }), {
    secretSha256: hashOfSecret(strangersSecret),
  });
  expect(verified).toEqual([1, 2]);
});

it('a post does not add a revision to a lead that is erased during the post', async () => {
  const { post, store, revisions } = testAcceptLead();
  const lead_id = String(testLead().lead_id);
  const changed = testLead({ sub_id2: 'x' });
  await post(testLead());
  const { find } = store;
  let isErased = false;
  store.find = async (...asked) => {
    const found = { ...((await find(...asked)) as LeadStatus), isErased };
    isErased = true;
    store.visits.set(lead_id, { ...found, isErased });
    return found;
  };
  await expect(post(changed)).rejects.toThrow(StoreUnavailableError);
  // The lead is erased now, so the option `ifErased: 'refuse'` rejects the post.
  await expect(post(changed, {}, { ifErased: 'refuse' })).rejects.toThrow(LeadErasedError);
  expect(store.unauthorizedPostsTo(lead_id)).toEqual([]);
  await post(changed);
  expect(store.unauthorizedPostsTo(lead_id)).toMatchObject([{ state: 'held' }]);
  expect(revisions()).toHaveLength(1);
});

it('a post with the opt-out signal is stored without ids of advertising networks', async () => {
  const { post, lead } = testAcceptLead();
  await post(testLead({ msclkid: 'a', _fbp: 'b', utm_source: 'c' }), { secGpc: true });
  const { msclkid, _fbp, utm_source } = lead().body;
  expect([msclkid, _fbp, utm_source]).toEqual([undefined, undefined, 'c']);
});
