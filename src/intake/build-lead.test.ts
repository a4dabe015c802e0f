import { describe, expect, it } from 'vitest';
import { testCalendar, testEntry, testRules } from '../../tests/support/build.ts';
import { testLead, testNow, testVisitor } from '../../tests/support/leads.ts';
import { personKey } from '../../tests/support/person-keys.ts';
import { buildLead, isWholeSurvey, type LeadInput } from './build-lead.ts';
import type { BuildContext } from './context.ts';

const context: BuildContext = {
  rules: testRules,
  checks: {
    ofDescription: () => ({ is_gibberish: 'no', bad_words: 'no' }),
    ofName: () => ({ name_gibberish: 'no', name_bad_word: 'no' }),
  },
  lookUpZip: (zip) => ({
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

function built(overrides: Record<string, unknown> = {}, input: Partial<LeadInput> = {}) {
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
    context,
  );
}

describe('buildLead', () => {
  it('counts days from the press of the button, not from a late post', () => {
    const { fields } = built({ submitted_at: '2026-11-10T12:00:00Z' });
    expect(fields).toMatchObject({ days_from_incident_date: '70' });
  });

  it('uses the survey’s own ids if the visitor posts ids that are reserved for a rule', () => {
    const { fields, problems, click } = built({ oid: '1500', affid: '1000350' });
    expect(fields).toMatchObject({ oid: '81', affid: '10' });
    expect(fields).not.toHaveProperty('original_oid');
    expect(problems.map(({ field, reason }) => [field, reason])).toEqual([
      ['affid', 'reserved'],
      ['oid', 'reserved'],
    ]);
    expect(click.params).not.toHaveProperty('oid');
  });

  it('takes the date of birth only from the answers', () => {
    const { fields, differences } = built({ date_of_birth: '1990-01-01' });
    expect(fields).not.toHaveProperty('date_of_birth');
    expect(differences).toEqual([{ field: 'date_of_birth', browser: '1990-01-01', server: '' }]);
  });

  it('takes no consent from an array that contains our text', () => {
    const { tcpa } = testLead();
    const { consent, fields, problems } = built({ tcpa: [tcpa] });
    expect([consent, fields.tcpa]).toEqual([null, '']);
    expect(problems).toContainEqual({ problem: 'missing_consent', field: 'tcpa' });
  });

  it('rejects a malformed certificate, since our API key is posted to its address', () => {
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

  it('judges the consent of an earlier post if this one has none', () => {
    const { tcpa: _, ...latest } = testLead();
    const { consent, consentHold, fields } = built({}, { latest });
    expect(consent).toBeNull();
    expect(consentHold).toBeUndefined();
    expect(fields.tcpa).toBe(testLead().tcpa);
  });
});

it('isWholeSurvey requires an answer to every step of a known survey', () => {
  const isWhole = (overrides: Record<string, unknown>, survey: typeof entry | undefined = entry) =>
    isWholeSurvey(testLead(overrides), survey, testNow, context);
  expect(isWhole({})).toBe(true);
  expect(isWhole({ at_Fault: undefined })).toBe(false);
  expect(isWholeSurvey(testLead(), undefined, testNow, context)).toBe(false);
});

describe('a visit that began with another version of its flow', () => {
  const earlier_answers = '{"HadInsurance":{"active_insurance_policy":"yes"}}';

  it('marks the lead with that version, and sends no answers of removed steps', () => {
    const { fields, problems } = built({ earlier_answers, flow_version: 'an-older-one' });
    expect(problems).toEqual([
      { problem: 'other_flow', field: 'flow_version', value: 'an-older-one' },
    ]);
    for (const name of ['earlier_answers', 'flow_version', 'active_insurance_policy']) {
      expect(fields).not.toHaveProperty(name);
    }
  });

  it('marks the answer to a question that only the old page asked', () => {
    const { problems } = built({ funding_amount: 'under_2500' });
    expect(problems).toMatchObject([{ problem: 'unreached_field', field: 'funding_amount' }]);
  });
});
