import { describe, expect, test } from 'vitest';
import { mostPopulousStates, partnerClosedStatesOf, specialStatesOf } from './special-states.ts';

describe('special states (docs/specification.md#special-states)', () => {
  test('are all 51 in most flows', () => {
    const states = specialStatesOf(undefined, undefined);
    expect(new Set(states).size).toBe(51);
    expect(states).toContain('DC');
  });

  test('are the 25 most populous ones in the group and Ep variants', () => {
    expect(specialStatesOf('most_populous', undefined)).toBe(mostPopulousStates);
    expect(new Set(mostPopulousStates).size).toBe(25);
    for (const code of mostPopulousStates)
      expect(specialStatesOf(undefined, undefined)).toContain(code);
    expect(mostPopulousStates).toEqual(expect.arrayContaining(['CA', 'TX', 'NY', 'LA']));
    for (const small of ['WY', 'VT', 'DC', 'KY', 'OR'])
      expect(mostPopulousStates).not.toContain(small);
  });

  test('come from the operator’s setting if there is one, even an empty one', () => {
    expect(specialStatesOf('most_populous', ['WY'])).toEqual(['WY']);
    expect(specialStatesOf(undefined, [])).toEqual([]);
  });
});

describe('states without a partner tab (docs/specification.md#partner-tab)', () => {
  test('are none in most flows, and the 25 in the group and Ep variants', () => {
    expect(partnerClosedStatesOf(undefined, undefined)).toEqual([]);
    expect(partnerClosedStatesOf('most_populous', undefined)).toBe(mostPopulousStates);
  });

  test('come from the operator’s setting if there is one, even an empty one', () => {
    expect(partnerClosedStatesOf(undefined, ['WY'])).toEqual(['WY']);
    expect(partnerClosedStatesOf('most_populous', [])).toEqual([]);
  });
});
