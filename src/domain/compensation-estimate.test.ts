import { expect, it } from 'vitest';
import { type AskedFieldName, askedFields } from './asked-fields.ts';
import { MAX_COMPENSATION } from './compensation.ts';
import { compensationMultipliers, estimateCompensation } from './compensation-estimate.ts';

it('estimateCompensation starts at 5000 and is raised by a fraction of the current value', () => {
  const multipliers = { at_Fault: { no: 0.5 }, specific_injury: { Whiplash: 0.1 } };
  expect(estimateCompensation({}, multipliers)).toBe(5000);
  expect(estimateCompensation({ at_Fault: 'no' }, multipliers)).toBe(7500);
  expect(estimateCompensation({ specific_injury: 'Whiplash', at_Fault: 'no' }, multipliers)).toBe(
    8250,
  );
  expect(estimateCompensation({ at_Fault: 'yes' }, multipliers)).toBe(5000);
});

it('estimateCompensation is never above the maximum', () => {
  expect(estimateCompensation({ at_Fault: 'no' }, { at_Fault: { no: 99 } })).toBe(MAX_COMPENSATION);
});

it('every multiplier is positive and belongs to a possible answer', () => {
  for (const [field, fractions] of Object.entries(compensationMultipliers)) {
    const rule = askedFields[field as AskedFieldName];
    for (const [answer, fraction] of Object.entries(fractions)) {
      expect('values' in rule && rule.values, `${field} ${answer}`).toContain(answer);
      expect(fraction).toBeGreaterThan(0);
    }
  }
});
