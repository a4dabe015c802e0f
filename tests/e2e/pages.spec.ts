import { expect } from '@playwright/test';
import { surveys } from '../../src/flows/surveys.ts';
import { test } from './support/journeys.ts';

for (const survey of surveys) {
  test(`${survey.path}: the first question is in the HTML, in its language`, async ({
    request,
  }) => {
    const answer = await request.get(survey.path);
    expect(answer.status()).toBe(200);
    const html = await answer.text();
    expect(html).toContain(`lang="${survey.language}"`);
    expect(html).toContain('data-step="StartPath"');
    expect(html).toContain(survey.language === 'es' ? '¿Qué tipo' : 'What type');
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
