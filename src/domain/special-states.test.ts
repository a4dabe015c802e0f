import { describe, expect, test } from 'vitest';
import { mostPopulousStates, specialStatesOf } from './special-states.ts';

describe('special states (document 2, section 9)', () => {
  test('are all 51 in most flows', () => {
    const states = specialStatesOf(undefined, undefined);
    expect(new Set(states).size).toBe(51);
    expect(states).toContain('DC');
  });

  test('are 25 in the group and Ep variants: the most populous ones', () => {
    expect(specialStatesOf('most_populous', undefined)).toBe(mostPopulousStates);
    expect(new Set(mostPopulousStates).size).toBe(25);
    for (const code of mostPopulousStates)
      expect(specialStatesOf(undefined, undefined)).toContain(code);
    expect(mostPopulousStates).toEqual(expect.arrayContaining(['CA', 'TX', 'NY', 'LA']));
    for (const small of ['WY', 'VT', 'DC', 'KY', 'OR'])
      expect(mostPopulousStates).not.toContain(small);
  });

  test('are the operator’s where a setting gives them, also none', () => {
    expect(specialStatesOf('most_populous', ['WY'])).toEqual(['WY']);
    expect(specialStatesOf(undefined, [])).toEqual([]);
  });
});
