import { expect, it } from 'vitest';
import {
  dqReason,
  explainQualification,
  fundingInterest,
  type QualificationValues,
} from './qualification.ts';

const clean = {
  with_Lawyer: 'no',
  accident_limit_exceeded: '0',
  is_gibberish: 'no',
  enough_words: 'yes',
  physical_injury: 'Yes',
  at_Fault: 'no',
  doctor_treatment: 'yes',
};

const rejecting = [
  ['with_Lawyer', 'yes', 'have_attorney|yes'],
  ['accident_limit_exceeded', '1', 'date|accident_limit_exceeded'],
  ['is_gibberish', 'yes', 'is_gibberish|yes'],
  ['enough_words', 'no', 'enough_words|no'],
  ['physical_injury', 'No', 'physical_injury|No'],
  ['at_Fault', 'yes', 'at_Fault|yes'],
  ['doctor_treatment', 'no', 'doctor_treatment|no'],
] as const;

const qualify = (values: QualificationValues) => ({
  qualified: dqReason(values) === '',
  dq_reason: dqReason(values),
  rules: explainQualification(values),
});

it('dqReason of a visitor with a lawyer is the value of lawyer_redirect_reason', () => {
  const reason = 'have_attorney|yes_but_I_want_a_new_lawyer';
  expect(qualify({ with_Lawyer: 'yes', lawyer_redirect_reason: reason }).dq_reason).toBe(reason);
  expect(qualify({ with_Lawyer: 'no', lawyer_redirect_reason: reason }).qualified).toBe(true);
});

it.each(rejecting)(
  'dqReason returns the reason of the first field that rejects the lead',
  (field, _, reason) => {
    const from = rejecting.findIndex(([name]) => name === field);
    const broken = rejecting.slice(from).map(([name, value]) => [name, value.toUpperCase()]);
    const { dq_reason, qualified, rules } = qualify({ ...clean, ...Object.fromEntries(broken) });
    expect([qualified, dq_reason]).toEqual([false, reason]);
    expect(rules.map((rule) => rule.rule)).toEqual(
      rejecting.map(([name]) => `qualification.${name}`),
    );
    expect(rules.filter((rule) => rule.result === 'rejects')).toHaveLength(broken.length);
  },
);

const interested = {
  with_Lawyer: 'yes',
  interested_in_psf: 'yes',
  settled_case: 'no',
  prior_funding: 'no',
};
it.each([
  { with_Lawyer: 'no' },
  { with_Lawyer: '' },
  { interested_in_psf: 'No' },
  { interested_in_psf: '' },
  { settled_case: 'yes' },
  { settled_case: '' },
  { prior_funding: 'YES' },
  { prior_funding: '' },
])('fundingInterest is false with the answer %j', (change) => {
  expect(fundingInterest({ ...interested, ...change })).toBe(false);
});
