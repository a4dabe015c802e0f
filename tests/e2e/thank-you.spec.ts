import { expect } from '@playwright/test';
import { v4 } from '../../src/flows/variants/v4.ts';
import { lawyerPath, openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { expectDeliveredOnce, ingestBodies } from './support/sandbox-client.ts';
import { walkSurvey, watchLeadId } from './support/survey-page.ts';

test('a qualified visitor: q=y and the specified query, then a clean address', async ({
  page,
  context,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page, '/survey/v4nv?s1=abc&gclid=x&sub2=two');
  const path = qualifyingPath();
  const arrived = page.waitForRequest((request) => request.url().includes('/survey-thank-you/'));
  await walkSurvey(page, v4, path);
  const query = new URL((await arrived).url()).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    email: path.answers.NameAndEmail?.email,
    phone: path.answers.PhoneAndZip?.phone,
    city: 'New York',
    state: 'NY',
    state_long: 'New York',
    zip_code: '10001',
    affid: '1',
    sub_id: 'abc',
    q: 'y',
    gclid: 'x',
  });
  expect(query.get('ef_transaction_id')).toMatch(/^[0-9a-f]{32}$/);
  expect(query.has('_ef_transaction_id')).toBe(false);
  await expect.poll(() => new URL(page.url()).search).not.toMatch(/email|phone|zip_code|city/);
  expect(context.pages()).toHaveLength(1);
  const id = leadId();
  await expectDeliveredOnce(id);
  expect((await ingestBodies(id))[0]).toMatchObject({ sub_id: 'abc', sub_id2: 'two', gclid: 'x' });
});

test('a disqualified visitor: q=n, lang=es, and the partner’s page in a new tab', async ({
  page,
  context,
}) => {
  await openSurvey(page, '/survey/v4nv-es?s1=abc');
  const arrived = page.waitForRequest((request) => request.url().includes('/survey-thank-you/'));
  const opened = context.waitForEvent('page');
  await walkSurvey(page, v4, lawyerPath());
  const query = new URL((await arrived).url()).searchParams;
  expect(query.get('q')).toBe('n');
  expect(query.get('lang')).toBe('es');
  const partner = await opened;
  await partner.waitForLoadState();
  expect(partner.url()).toContain('/partner');
  expect(partner.url()).not.toMatch(/email|phone|example\.com/);
  expect(await partner.evaluate(() => document.referrer)).toBe('');
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
});

test('a thank-you page is not cached, not indexed and sends no referrer', async ({ request }) => {
  const answer = await request.get('/survey-thank-you/?q=y');
  expect(answer.headers()).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': expect.stringContaining('noindex'),
  });
});

test('the other language keeps the page’s query and the visitor’s own state', async ({ page }) => {
  const own = 'email=maria%40mail.example&state=TX&state_long=Texas&affid=7&sub_id=abc&gclid=x&q=n';
  await page.goto(`/survey-thank-you/?${own}#sent`);
  const step = page.locator('#your-state');
  await expect(step).toContainText('Texas');
  await expect.poll(() => page.url()).not.toContain('maria');
  expect(await page.content()).not.toContain('maria');
  const asked = page.waitForRequest((request) => request.url().includes('lang=es'));
  await page.getByRole('link', { name: 'Español' }).click();
  const query = new URL((await asked).url()).searchParams;
  expect(query.toString()).toBe(`${own}&lang=es`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(step).toContainText('Texas');
  await expect
    .poll(() => new URL(page.url()).search)
    .toBe('?affid=7&sub_id=abc&gclid=x&q=n&lang=es');
  expect(new URL(page.url()).hash).toBe('#sent');
  await page.getByRole('link', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  expect(new URL(page.url()).searchParams.has('lang')).toBe(false);
  await expect(page.locator('#lead-status')).not.toBeEmpty();
});
