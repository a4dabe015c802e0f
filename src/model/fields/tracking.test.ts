import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPlaceholder, readTracking } from './tracking.ts';

const placeholders = [
  '{{campaign.name}}',
  `$\{gclid}`,
  '#{id}',
  '[[sub1]]',
  '[object Object]',
  '%%ADID%%',
  '__CAMPAIGN_ID__',
  '<sub1>',
  '<%= id %>',
  '##id##',
  'undefined',
  'null',
  'NaN',
  '  {sub1} ',
  '{}',
  '((id))',
];

it.each(placeholders)('isPlaceholder is true for the text %j', (value) => {
  expect(isPlaceholder(value)).toBe(true);
  expect(isPlaceholder(encodeURIComponent(value))).toBe(true);
  expect(isPlaceholder(encodeURIComponent(encodeURIComponent(value)))).toBe(true);
});

it.each(['', 'a_b_c', '100%', 'fb-{ad}-7', 'Cj0KCQjw_abc-123', 'nullable', 'x__y__z', '%E0%A4%A'])(
  'isPlaceholder is false for the text %j',
  (value) => {
    expect(isPlaceholder(value)).toBe(false);
  },
);

it.each([
  ['s1=&sub1=x', { sub_id: 'x' }],
  ['s1={sub}&sub1=x', { sub_id: 'x' }],
  ['s1=a&sub1=x', { sub_id: 'a' }],
  ['s1={sub}', { sub_id: '1' }],
  ['lp_action=TEST', { lp_action: 'test' }],
  ['lp_action=live', { lp_action: undefined }],
  ['oid=abc&affid=1;drop', { oid: undefined, affid: undefined }],
])('readTracking ignores placeholders and invalid values in the query %s', (query, expected) => {
  expect({
    lp_action: undefined,
    oid: undefined,
    affid: undefined,
    ...readTracking(query),
  }).toMatchObject(expected);
});

it.each(placeholders)(
  'readTracking omits the placeholder %s in a raw or an encoded query',
  (value) => {
    expect(readTracking(`?gclid=${encodeURIComponent(value)}`).gclid).toBe('');
    if (!/[&#+]/.test(value)) expect(readTracking(`?gclid=${value}`).gclid).toBe('');
    expect(readTracking(`${new URLSearchParams({ gclid: value })}`).gclid).toBe('');
  },
);

it('readTracking returns every value of up to 300 characters unchanged', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_.~-]{1,300}$/), (value) => {
      fc.pre(!isPlaceholder(value));
      expect(readTracking(`${new URLSearchParams({ sub2: value })}`).sub_id2).toBe(value);
    }),
  );
  fc.assert(fc.property(fc.string(), (search) => readTracking(search).sub_id !== ''));
});
