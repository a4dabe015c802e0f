import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { type Experiment, experiments } from '../../model/flows/experiments.ts';
import { type Survey, surveys } from '../../model/flows/surveys.ts';
import { ownQuery, type PageEntry } from '../../model/messages/page-manifest.ts';
import { parametersOf, queryFor } from './page-parameters.ts';

const address = '/survey-thank-you/';
const dressed = surveys.map(
  (survey): Survey =>
    survey.path === '/survey/v6' ? { ...survey, theme: 'dusk', logo: 'wheel' } : survey,
);

const thankYou: PageEntry = { source: '/thank-you/', at: 'thank-you', query: {}, headers: {} };
const parametersAt = (path: string, all: readonly Survey[], running: readonly Experiment[]) =>
  parametersOf(thankYou, path, { surveys: all, experiments: running });

const asked = (url: string, referer?: string, running: readonly Experiment[] = [], cookie = '') => {
  const request = {
    headers: { cookie, ...(referer && { referer }) },
    raw: { url },
    protocol: 'http',
    server: { experiments: running },
  };
  return queryFor(parametersAt(address, dressed, running), { request } as unknown as FastifyReply);
};

test('a thank-you page of surveys that all look the same has no parameter `look`', () => {
  expect(parametersAt(address, surveys, experiments)).toEqual([]);
  expect(parametersAt('/ticket-thank-you/', dressed, experiments)).toEqual([]);
});

test.each([
  'https://site.example/survey/v6?s1=abc',
  'https://site.example/survey/v6/',
  'https://site.example/survey/v6/continue?step=ZipCode',
])('a thank-you page looks like the survey in the Referer %s', (referer) => {
  expect(asked(`${address}?q=y`, referer)).toBe(`${ownQuery.look}=dusk.wheel`);
});

test('a thank-you page has the look that the link to the page names', () => {
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

test("in an experiment with themes, a thank-you page has the theme of the visitor's variant", () => {
  expect(from('/survey/v4nv', 'theme.harbor')).toBe(`${ownQuery.look}=harbor`);
  expect(from('/survey/v4nv', 'theme.plain')).toBe(`${ownQuery.look}=default`);
  expect(from('/survey/v6', 'theme.harbor')).toBe(`${ownQuery.look}=dusk.wheel`);
});
