import { describe, expect, it } from 'vitest';
import { testEntry } from '../../tests/support/build.ts';
import { route } from './route.ts';

const entry = testEntry('/survey/v4g');
const rejected = {
  fields: { do_not_send_to_dq: 'no' },
  decision: { qualified: false, dq_reason: 'at_Fault|yes' },
};

describe('route', () => {
  it('returns the original lead source for the name checks', () => {
    const { leadSource, rule } = route({}, rejected, 'NY', entry, { specialStates: ['NY'] });
    expect(leadSource).toBe('81');
    expect(rule).toMatchObject({ rule: 'routing.special_state', result: true });
  });
});
