import { expect } from '@playwright/test';
import { flowVersion } from '../../src/flows/engine/version.ts';
import { flowOf } from '../../src/flows/surveys.ts';
import { textsFor } from '../../src/survey/texts/texts.ts';
import { surveyTable } from '../conformance/tables.ts';
import { test } from './support/journeys.ts';
import { testSurveys } from './support/survey-table.ts';

/** A text as it stands in HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');
}

for (const survey of testSurveys) {
  test(`${survey.path}: the first question is in the HTML, in its language`, async ({
    request,
  }) => {
    const flow = await flowOf(survey);
    const answer = await request.get(survey.path);
    expect(answer.status()).toBe(200);
    const html = await answer.text();
    const language = surveyTable.find((row) => row.path === survey.path)?.language;
    expect(html).toContain(`<html lang="${language}"`);
    expect(html).toContain(`data-step="${flow.start}"`);
    const question = textsFor(survey.language, flow).steps[flow.start]?.question ?? '';
    expect(question).not.toBe('');
    expect(html).toContain(escaped(question));
    const data = /id="survey-data">([^<]*)</.exec(html)?.[1] ?? '{}';
    // The bundled page has the very flow that the server walks.
    expect(JSON.parse(data).flowVersion).toBe(flowVersion(flow));
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

test('a form that no script takes sends nothing: no name and no number comes into the address', async ({
  browser,
}) => {
  const context = await browser.newContext({
    baseURL: process.env.E2E_BASE_URL ?? '',
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/form');
  await page.locator('[name="first_name"]').fill('Maria');
  await page.locator('[name="phone"]').fill('2125550123');
  // The keyboard's own call does not wait for a navigation.
  await page.keyboard.press('Enter');
  await page.waitForTimeout(500);
  expect(asked.filter((url) => url.includes('?'))).toEqual([]);
  expect(new URL(page.url()).search).toBe('');
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
