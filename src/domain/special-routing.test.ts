import { describe, expect, it } from 'vitest';
import { routeSpecially } from './special-routing.ts';

const lead = { qualified: false, state: 'NY', do_not_send_to_dq: 'no', oid: '81', affid: '7' };

describe('routeSpecially', () => {
  it('replaces the lead’s ids by the special ones, and keeps the originals', () => {
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

  it.each([
    ['qualified', { qualified: true }],
    ['not for the buyer of disqualified leads', { do_not_send_to_dq: 'yes' }],
    ['of another state', { state: 'TX' }],
    ['of a state that is not known', { state: undefined }],
  ])('leaves a lead alone that is %s', (_, given) => {
    const { ids, changes, rule } = routeSpecially({ ...lead, ...given }, ['NY']);
    expect({ ids, changes, result: rule.result }).toEqual({ ids: {}, changes: [], result: false });
  });
});
