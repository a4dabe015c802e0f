import { expect, test } from 'vitest';
import { ownQuery } from '../../contract/page-manifest.ts';
import { type Survey, surveys } from '../../flows/surveys.ts';
import { lookQuery, looksAt } from './page-looks.ts';

const address = '/survey-thank-you/';
const dressed = surveys.map(
  (survey): Survey =>
    survey.path === '/survey/v6' ? { ...survey, theme: 'dusk', logo: 'wheel' } : survey,
);

const asked = (url: string, referer?: string) => {
  const looks = looksAt(address, dressed);
  if (!looks) throw new Error('one look only');
  return lookQuery(looks, {
    headers: { ...(referer && { referer }) },
    raw: { url },
  } as Parameters<typeof lookQuery>[1]);
};

test('an address to which surveys of one look lead has no choice', () => {
  expect(looksAt(address, surveys)).toBeUndefined();
  expect(looksAt('/ticket-thank-you/', dressed)).toBeUndefined();
});

test.each([
  'https://site.example/survey/v6?s1=abc',
  'https://site.example/survey/v6/',
  'https://site.example/survey/v6/continue?step=ZipCode',
])('the look is that of the survey that a visitor comes from: %s', (referer) => {
  expect(asked(`${address}?q=y`, referer)).toBe(`${ownQuery.look}=dusk.wheel`);
});

test.each([undefined, '', 'no address', 'https://site.example/'])(
  'without a survey it is that of the page: %s',
  (referer) => {
    expect(asked(`${address}?q=y`, referer)).toBe('');
  },
);

test('the link to the other language keeps the look, and nothing else can be asked for', () => {
  const from = 'https://site.example/survey/v4nv';
  expect(asked(`${address}?lang=es&${ownQuery.look}=dusk.wheel`, from)).toBe(
    `${ownQuery.look}=dusk.wheel`,
  );
  expect(asked(`${address}?${ownQuery.look}=<b>`, from)).toBe(`${ownQuery.look}=default`);
});
