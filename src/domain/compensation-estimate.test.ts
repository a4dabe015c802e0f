import { describe, expect, it } from 'vitest';
import { type AskedFieldName, askedFields } from './asked-fields.ts';
import { MAX_COMPENSATION } from './compensation.ts';
import {
  compensationLevel,
  compensationMultipliers,
  estimateCompensation,
} from './compensation-estimate.ts';

describe('estimateCompensation', () => {
  it('starts at 5000 and is raised by a fraction of the current value', () => {
    const multipliers = { at_Fault: { no: 0.5 }, specific_injury: { Whiplash: 0.1 } };
    expect(estimateCompensation({}, multipliers)).toBe(5000);
    expect(estimateCompensation({ at_Fault: 'no' }, multipliers)).toBe(7500);
    expect(estimateCompensation({ specific_injury: 'Whiplash', at_Fault: 'no' }, multipliers)).toBe(
      8250,
    );
    expect(estimateCompensation({ at_Fault: 'yes' }, multipliers)).toBe(5000);
  });

  it('is the value that the visitor set', () => {
    const answers = { current_compensation: '60000', at_Fault: 'no' };
    expect(estimateCompensation(answers, { at_Fault: { no: 9 } })).toBe(60_000);
  });

  it('is never above the maximum', () => {
    expect(estimateCompensation({ at_Fault: 'no' }, { at_Fault: { no: 99 } })).toBe(
      MAX_COMPENSATION,
    );
  });

  it('is higher for worse cases, by the default table', () => {
    const level = (answers: Parameters<typeof estimateCompensation>[0]) =>
      compensationLevel(estimateCompensation(answers, compensationMultipliers));
    const bruise = { physical_injury: 'Yes', specific_injury: 'Cuts or Bruises', at_Fault: 'no' };
    const broken = { ...bruise, specific_injury: 'Broken Bones', doctor_treatment: 'yes' };
    const head = { ...broken, specific_injury: 'Head Injury' };
    const limb = { ...broken, specific_injury: 'Loss of Limb', police_report: 'yes' };
    expect([{}, bruise, broken, head, limb].map(level)).toEqual([1, 3, 4, 5, 7]);
  });
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
