import fc from 'fast-check';
import { expect, it } from 'vitest';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import {
  testAcceptLead,
  testLead,
  testRulesVersion,
  testVisitor,
} from '../../../tests/support/leads.ts';
import { StoreUnavailableError } from '../platform/errors.ts';

const { tcpa } = publishedTcpa();
const seed = Number(process.env.SEED) || Date.now() % 2 ** 31;

it('a click value of 1,500 characters is stored and sent uncut', async () => {
  const { post, lead } = testAcceptLead();
  await post(testLead({ sub_id: 's'.repeat(600), gclid: 'g'.repeat(1500) }));
  expect(lead().fields).toMatchObject({ sub_id: 's'.repeat(600), gclid: 'g'.repeat(1500) });
});

it('a post with invalid values is stored with each problem and still delivered', async () => {
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
])('a post with %s is stored and held', async (_, given, reason) => {
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

it('a later post of a lead replaces earlier values only by non-empty values', async () => {
  const { post, revisions, lead } = testAcceptLead();
  await post(testLead());
  const answer = await post(
    testLead({ email: 'other@mail.example', phone: '', leadid_token: 'token', tcpa: undefined }),
    { address: '198.51.100.1', userAgent: 'Other' },
  );
  expect(answer.revision).toBe(2);
  expect(lead()).toMatchObject({
    revision: 2,
    ip: testVisitor.address,
    consent: null,
    change: { fields: ['email', 'leadid_token'] },
    fields: {
      email: 'other@mail.example',
      phone: '2125550123',
      leadid_token: 'token',
      ip_address: testVisitor.address,
      tcpa,
    },
  });
  expect(revisions()[0]?.body).toMatchObject({ email: 'Maria.Sandoval@Mail.example' });
  // A repeat of the first body is answered with revision 1 and stores nothing.
  expect(await post(testLead())).toMatchObject({ revision: 1 });
  expect(revisions()).toHaveLength(2);
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

it('a later post does not change whether a lead is a test lead', async () => {
  const { post, lead } = testAcceptLead();
  await post(testLead({ lp_action: 'test' }));
  await post(testLead({ lp_action: 'live', email: 'b@mail.example' }));
  expect(lead().isTest).toBe(true);
  const sale = testAcceptLead();
  await sale.post(testLead());
  await sale.post(testLead({ lp_action: 'test' }));
  expect(sale.lead()).toMatchObject({ isTest: false, revision: 2 });
});

it('a later post to a lead that is erased meanwhile becomes a separate lead', async () => {
  const { post, store, revisions } = testAcceptLead();
  const { lead_id } = testLead();
  await post(testLead());
  const { find } = store;
  store.find = async (...request) => {
    const found = await find(...request);
    const visit = store.visits.get(String(lead_id));
    if (visit) visit.isErased = true;
    return found;
  };
  await expect(post(testLead({ sub_id2: 'x' }))).rejects.toThrow(StoreUnavailableError);
  expect(revisions()).toHaveLength(1);
  // The erased lead is not revised: the repeated post becomes a separate, held lead.
  expect(await post(testLead({ sub_id2: 'x' }))).toMatchObject({ revision: 1 });
  expect(store.unauthorizedPostsTo(String(lead_id))).toMatchObject([{ state: 'held' }]);
  expect(await post(testLead(), { secretSha256: null })).toMatchObject({ revision: 1 });
  expect(store.unauthorizedPostsTo(String(lead_id))).toHaveLength(1);
});

it('each revision records the versions of its rules and its flow', async () => {
  const { post, lead } = testAcceptLead();
  await post(testLead());
  expect(lead()).toMatchObject({
    rulesVersion: testRulesVersion,
    flowVersion: expect.stringMatching(/^[\w-]{43}$/),
  });
  const { flowVersion } = lead();
  await post(testLead({ survey: '/survey/v6' }));
  expect(lead().flowVersion).not.toBe(flowVersion);
});

it('a post is refused if it, or its merge with earlier posts, has over 200 unknown fields', async () => {
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

it('a lead of the benefits survey has no deliveries', async () => {
  const { post, lead } = testAcceptLead();
  await post(testLead({ survey: '/benefits' }));
  expect(lead().deliveries).toEqual([]);
});
