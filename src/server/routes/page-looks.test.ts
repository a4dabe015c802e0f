import { expect, test } from 'vitest';
import { ownQuery } from '../../contract/page-manifest.ts';
import { type Experiment, experiments } from '../../flows/experiments.ts';
import { type Survey, surveys } from '../../flows/surveys.ts';
import { lookQuery, looksAt } from './page-looks.ts';

const address = '/survey-thank-you/';
const dressed = surveys.map(
  (survey): Survey =>
    survey.path === '/survey/v6' ? { ...survey, theme: 'dusk', logo: 'wheel' } : survey,
);

const asked = (url: string, referer?: string, running: readonly Experiment[] = [], cookie = '') => {
  const looks = looksAt(address, dressed, running);
  if (!looks) throw new Error('one look only');
  return lookQuery(looks, {
    headers: { cookie, ...(referer && { referer }) },
    raw: { url },
    protocol: 'http',
    server: { experiments: running },
  } as Parameters<typeof lookQuery>[1]);
};

test('an address whose surveys all look the same has no choice of looks', () => {
  expect(looksAt(address, surveys, experiments)).toBeUndefined();
  expect(looksAt('/ticket-thank-you/', dressed, experiments)).toBeUndefined();
});

test.each([
  'https://site.example/survey/v6?s1=abc',
  'https://site.example/survey/v6/',
  'https://site.example/survey/v6/continue?step=ZipCode',
])('the look is that of the survey in the referrer: %s', (referer) => {
  expect(asked(`${address}?q=y`, referer)).toBe(`${ownQuery.look}=dusk.wheel`);
});

test('the link to the other language keeps the look; unknown looks are ignored', () => {
  const from = 'https://site.example/survey/v4nv';
  expect(asked(`${address}?lang=es&${ownQuery.look}=dusk.wheel`, from)).toBe(
    `${ownQuery.look}=dusk.wheel`,
  );
  expect(asked(`${address}?${ownQuery.look}=<b>`, from)).toBe(`${ownQuery.look}=default`);
});

const running = experiments.map((each) =>
  each.id === 'theme' ? { ...each, surveys: ['/survey/v4nv'] } : each,
);
const from = (path: string, variants: string) =>
  asked(`${address}?q=y`, `https://site.example${path}`, running, `variants=${variants}`);

test('with an experiment of themes on a survey the look is that of the variant that the visitor saw', () => {
  expect(from('/survey/v4nv', 'theme.harbor')).toBe(`${ownQuery.look}=harbor`);
  expect(from('/survey/v4nv', 'theme.plain')).toBe(`${ownQuery.look}=default`);
  expect(from('/survey/v6', 'theme.harbor')).toBe(`${ownQuery.look}=dusk.wheel`);
});
