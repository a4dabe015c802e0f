import { expect, test } from 'vitest';
import { partnerHref } from './after-submit.ts';

// tests/conformance/after-submit.test.ts proves the fields and the partner tab of every survey.
test.each([
  ['TX', {}, 'https://partner.example/click?c=7&affid=12&transaction_id=abc&sub_id=a+b'],
  ['', {}, 'https://partner.example/click?c=7&affid=12&transaction_id=abc&sub_id=a+b'],
  ['NY', {}, undefined],
  ['TX', { partnerUrl: '' }, undefined],
])('the partner’s address in state "%s", with %o: %s', (state, change, href) => {
  const partnerUrl = 'https://partner.example/click?c=7&affid=0';
  const settings = { partnerUrl, partnerClosedStates: ['NY'], ...change };
  const answers: Record<string, string> = state ? { state } : {};
  expect(
    partnerHref(settings, { answers, affid: '12' }, { ef_transaction_id: 'abc', sub_id: 'a b' }),
  ).toBe(href);
});
