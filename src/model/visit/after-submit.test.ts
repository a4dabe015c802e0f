import { expect, test } from 'vitest';
import { partnerHref, thankYouQuery } from './after-submit.ts';

test.each([
  ['TX', {}, 'https://partner.example/click?c=7&affid=12&transaction_id=abc&sub_id=a+b'],
  ['', {}, 'https://partner.example/click?c=7&affid=12&transaction_id=abc&sub_id=a+b'],
  ['NY', {}, undefined],
  ['TX', { partnerUrl: '' }, undefined],
])('partnerHref is undefined in states without a partner page', (state, change, href) => {
  const partnerUrl = 'https://partner.example/click?c=7&affid=0';
  const settings = { partnerUrl, partnerClosedStates: ['NY'], ...change };
  const answers: Record<string, string> = state ? { state } : {};
  expect(
    partnerHref(settings, { answers, affid: '12' }, { ef_transaction_id: 'abc', sub_id: 'a b' }),
  ).toBe(href);
});

const body = {
  email: 'ann+x@example.com',
  city: 'New York',
  state: 'NY',
  zip_code: '10001',
  phone: '2125550123',
  state_long: 'New York',
  ef_transaction_id: 't1',
  sub_id: 'abc',
};

function queryOf(lead: { affid: string; body: Record<string, string> }, search = ''): string {
  return thankYouQuery(
    { language: 'en', thankYouReason: false },
    undefined,
    { qualified: true, answers: {}, affid: lead.affid },
    lead.body,
    { search, referer: '' },
  );
}

test('thankYouQuery has the parameters in the specified order', () => {
  expect(queryOf({ affid: '252', body })).toBe(
    'email=ann%2Bx%40example.com&city=New+York&state=NY&zip_code=10001&phone=2125550123' +
      '&state_long=New+York&ef_transaction_id=t1&affid=252&sub_id=abc&q=y',
  );
});

test.each([
  ['', { affid: '', body: {} }, '1', '1'],
  ['', { affid: '', body: { sub_id: '{sub}' } }, '1', '1'],
  ['', { affid: '252', body }, '252', 'abc'],
  ['?affid=9&sub_id=z', { affid: '252', body }, '9', 'z'],
  ['?affid={affid}&sub_id=', { affid: '252', body }, '252', 'abc'],
])(
  'thankYouQuery prefers the affiliate id in the page’s URL to the affiliate id of the lead',
  (search, lead, affid, subId) => {
    const query = new URLSearchParams(queryOf(lead, search));
    expect([query.getAll('affid'), query.getAll('sub_id')]).toEqual([[affid], [subId]]);
  },
);
