import { expect } from '@playwright/test';
import type { Flow } from '../../src/flows/engine/flow.ts';
import { flowLoaders, surveys } from '../../src/flows/surveys.ts';
import { textsFor } from '../../src/survey/texts/texts.ts';
import { surveyTable } from '../conformance/tables.ts';
import { test } from './support/journeys.ts';

/** A text as it stands in HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');
}

for (const survey of surveys) {
  test(`${survey.path}: the first question is in the HTML, in its language`, async ({
    request,
  }) => {
    const flow: Flow = await flowLoaders[survey.flow]();
    const answer = await request.get(survey.path);
    expect(answer.status()).toBe(200);
    const html = await answer.text();
    const language = surveyTable.find((row) => row.path === survey.path)?.language;
    expect(html).toContain(`<html lang="${language}"`);
    expect(html).toContain(`data-step="${flow.start}"`);
    const question = textsFor(survey.language, flow).steps[flow.start]?.question ?? '';
    expect(question).not.toBe('');
    expect(html).toContain(escaped(question));
    const head = await request.head(survey.path);
    expect(head.status()).toBe(200);
    expect(head.headers()['content-type']).toContain('text/html');
  });

  test(`${survey.path}/ redirects to the canonical form with its query`, async ({ request }) => {
    const answer = await request.get(`${survey.path}/?s1=abc&gclid=x`, { maxRedirects: 0 });
    expect(answer.status()).toBe(308);
    expect(answer.headers().location).toBe(`${survey.path}?s1=abc&gclid=x`);
  });
}

test('the survey works without a script as far as it can: question and answers are there', async ({
  browser,
}) => {
  const context = await browser.newContext({
    baseURL: process.env.E2E_BASE_URL ?? '',
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto('/survey/v4nv');
  await expect(page.locator('[data-step=StartPath] button[name=accident_type]')).toHaveCount(6);
  await context.close();
});

test('an unknown page says so, in HTML to people and as a problem to programs', async ({
  request,
}) => {
  const page = await request.get('/nothing-here', { headers: { accept: 'text/html' } });
  expect(page.status()).toBe(404);
  expect(page.headers()['content-type']).toContain('text/html');
  const problem = await request.get('/api/nothing-here');
  expect(problem.status()).toBe(404);
  expect(problem.headers()['content-type']).toContain('application/problem+json');
});
