import { expect, test } from 'vitest';
import { partnerClosedStatesOf, specialStatesOf } from './special-states.ts';

test.each([specialStatesOf, partnerClosedStatesOf])(
  '%o: the operator’s setting counts, even an empty one',
  (statesOf) => {
    expect(statesOf('most_populous', ['WY'])).toEqual(['WY']);
    expect(statesOf(undefined, [])).toEqual([]);
    expect(statesOf('most_populous', [])).toEqual([]);
  },
);
