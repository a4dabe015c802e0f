import { expect, it } from 'vitest';
import { disqualifiedStates, routeSpecially } from './special-states.ts';

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

it('disqualifiedStates: the operator’s setting counts, even an empty one', () => {
  const rules = { specialStates: 'most_populous' } as const;
  expect(disqualifiedStates(rules, ['WY'], ['NY'])).toEqual(['WY']);
  expect(disqualifiedStates(undefined, [], ['NY'])).toEqual([]);
  expect(disqualifiedStates(rules, [], ['NY'])).toEqual([]);
});
