import { expect, it, vi } from 'vitest';
import { testCalendar, testEntry, testRules } from '../../../tests/support/build.ts';
import { testLead, testNow, testVisitor } from '../../../tests/support/leads.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import { buildLead, type LeadInput } from './build-lead.ts';
import type { BuildContext } from './context.ts';

const context: BuildContext = {
  rules: testRules,
  checks: {
    ofDescription: () => ({ is_gibberish: 'no', bad_words: 'no' }),
    ofNames: () => ({ name_gibberish: 'no', name_bad_word: 'no' }),
  },
  zipZone: () => undefined,
  checkZip: (zip) => ({
    zip,
    city: 'New York',
    state: 'NY',
    state_long: 'New York',
    county: 'New York',
  }),
  calendar: testCalendar,
  personKey,
};
const entry = testEntry('/survey/v4nv');

function built(
  overrides: Record<string, unknown> = {},
  input: Partial<LeadInput> = {},
  own: BuildContext = context,
) {
  const body = testLead(overrides);
  return buildLead(
    {
      body,
      latest: body,
      entry,
      visitor: testVisitor,
      origin: testVisitor,
      now: testNow,
      ...input,
    },
    own,
  );
}

it('buildLead ignores a posted offer id or affiliate id that only a rule may set', () => {
  const { fields, problems, click } = built({ oid: '1500', affid: '1000350' });
  expect(fields).toMatchObject({ oid: '81', affid: '10' });
  expect(fields).not.toHaveProperty('original_oid');
  expect(problems.map(({ field, reason }) => [field, reason])).toEqual([
    ['affid', 'reserved'],
    ['oid', 'reserved'],
  ]);
  expect(click.params).not.toHaveProperty('oid');
});

it('buildLead checks names with the offer id from before a rule replaced the offer id', () => {
  const ofNames = vi.fn(context.checks.ofNames);
  const checks = { ...context.checks, ofNames };
  const rules = { ...testRules, specialStates: ['NY'], partialFaultStates: [] };
  const { fields } = built({ at_Fault: 'yes' }, {}, { ...context, checks, rules });
  expect(fields).toMatchObject({ oid: '1500', original_oid: '81' });
  expect(ofNames).toHaveBeenCalledWith(['Maria', 'Sandoval'], '81');
});

it('buildLead returns no consent for a consent text in an array', () => {
  const { tcpa } = testLead();
  const { consent, fields, problems } = built({ tcpa: [tcpa] });
  expect([consent, fields.tcpa]).toEqual([null, '']);
  expect(problems).toContainEqual({ problem: 'missing_consent', field: 'tcpa' });
});

it('buildLead omits a malformed TrustedForm certificate URL, because our API key is sent to that URL', () => {
  const { fields, problems } = built({
    trustedform_cert_url: `https://cert.trustedform.com/accounts/${'0'.repeat(40)}`,
    trusted_form_cert_id: '../accounts',
  });
  expect(fields.trustedform_cert_url || fields.trusted_form_cert_id).toBe('');
  expect(problems.map(({ field, reason }) => [field, reason])).toEqual([
    ['trustedform_cert_url', 'invalid'],
    ['trusted_form_cert_id', 'invalid'],
  ]);
});

const earlier_answers = '{"HadInsurance":{"active_insurance_policy":"yes"}}';

it('buildLead reports a problem if the posted flow version is outdated', () => {
  const { fields, problems } = built({ earlier_answers, flow_version: 'an-older-one' });
  expect(problems).toEqual([
    { problem: 'other_flow', field: 'flow_version', value: 'an-older-one' },
  ]);
  for (const name of ['earlier_answers', 'flow_version', 'active_insurance_policy']) {
    expect(fields).not.toHaveProperty(name);
  }
});

it('a lead has the wishes about the call as they were posted, and no unknown wish', () => {
  const { fields, problems } = built({ call_language: 'Spanish', call_time: 'midnight' });
  expect(fields).toMatchObject({ call_language: 'Spanish' });
  expect(problems).toMatchObject([{ problem: 'bad_value', field: 'call_time' }]);
  expect(built().fields).not.toHaveProperty('call_language');
});

it('a lead has the hours for calls in the time zone of its zip code', () => {
  const zipZone = () => ({ timeZone: 'America/New_York', isNearBorder: false });
  expect(built({}, {}, { ...context, zipZone }).fields).toMatchObject({
    may_call_from: '08:00',
    may_call_until: '21:00',
    may_call_time_zone: 'America/New_York',
  });
});
