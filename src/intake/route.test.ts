import { describe, expect, it } from 'vitest';
import { testEntry } from '../../tests/support/build.ts';
import { route } from './route.ts';

const entry = testEntry('/survey/v4g');
const rejected = {
  fields: { do_not_send_to_dq: 'no' },
  decision: { qualified: false, dq_reason: 'at_Fault|yes' },
};

describe('route', () => {
  it('uses the click’s ids, else the survey’s, else the defaults', () => {
    const none = { specialStates: [] };
    expect(route({ oid: '136', affid: '7' }, rejected, 'NY', entry, none)).toMatchObject({
      leadSource: '136',
      fields: { oid: '136', affid: '7', original_oid: '81' },
      changes: [],
    });
    const dui = testEntry('/survey/dui');
    expect(route({}, rejected, 'NY', dui, none).leadSource).toBe(String(dui.survey.offerId));
    expect(route({}, rejected, 'NY', undefined, none).fields).toMatchObject({
      oid: '81',
      affid: '10',
    });
  });

  it('returns the original lead source for the name checks', () => {
    const { leadSource, rule } = route({}, rejected, 'NY', entry, { specialStates: ['NY'] });
    expect(leadSource).toBe('81');
    expect(rule).toMatchObject({ rule: 'routing.special_state', result: true });
  });
});
