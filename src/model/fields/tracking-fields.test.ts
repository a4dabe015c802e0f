import { expect, it } from 'vitest';
import { clickIdOf, trackingFields } from './tracking-fields.ts';

const survey = { offerId: 81, affiliateId: 1 };

it.each([
  [{ affid: '7' }, { affid: '7' }],
  [{ affid: '{affid}' }, { affid: '10' }],
  [{ oid: '136' }, { oid: '136', original_oid: '81' }],
  [{ sub_id: 'a' }, { sub_id: 'a', lp_subid1: 'a' }],
  [
    { sub_id: 'a', lp_subid1: 'b' },
    { sub_id: 'a', lp_subid1: 'b' },
  ],
  [{ sub_id2: 'c' }, { sub_id2: 'c', lp_s2: 'c' }],
  [
    { gclid: '%%GCLID%%', leadid_token: '[token]' },
    { gclid: '', leadid_token: '' },
  ],
])('trackingFields returns the tracking fields that buyers receive', (posted, expected) => {
  expect(trackingFields(posted, survey)).toMatchObject(expected);
});

it('clickIdOf returns the lead id without dashes if there is no valid transaction id', () => {
  const leadId = '01939999-1111-7111-8111-111111111111';
  expect(clickIdOf({ ef_transaction_id: 'a-b_1' }, leadId)).toBe('a-b_1');
  for (const ef_transaction_id of ['', 'a b', 'x'.repeat(101)]) {
    expect(clickIdOf({ ef_transaction_id }, leadId)).toBe('01939999111171118111111111111111');
  }
  expect(clickIdOf({}, leadId)).toHaveLength(32);
});
