import { expect, it } from 'vitest';
import { partnerClosedStatesOf, routeSpecially, specialStatesOf } from './special-states.ts';

const lead = { qualified: false, state: 'NY', do_not_send_to_dq: 'no', oid: '81', affid: '7' };

it('routeSpecially replaces the lead’s ids by the special ones, and keeps the originals', () => {
  expect(routeSpecially(lead, ['NY'])).toEqual({
    ids: { oid: '1500', affid: '1000350', original_oid: '81', original_affid: '7' },
    changes: [
      { field: 'oid', answered: '81', becomes: '1500', rule: 'routing.special_state' },
      { field: 'affid', answered: '7', becomes: '1000350', rule: 'routing.special_state' },
    ],
    rule: {
      rule: 'routing.special_state',
      inputs: { state: 'NY', qualified: 'no', do_not_send_to_dq: 'no' },
      result: true,
    },
  });
});

it.each([specialStatesOf, partnerClosedStatesOf])(
  '%o: the operator’s setting counts, even an empty one',
  (statesOf) => {
    expect(statesOf('most_populous', ['WY'])).toEqual(['WY']);
    expect(statesOf(undefined, [])).toEqual([]);
    expect(statesOf('most_populous', [])).toEqual([]);
  },
);
