import { expect } from '@playwright/test';
import type { FlowPath } from '../../src/flows/engine/paths.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { disqualifiedWay } from '../support/ways.ts';
import { journeyAt, newVisitor, openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { examineBothSizes } from './support/page-errors.ts';
import { deliveredLead } from './support/sandbox-client.ts';
import { walkSurveyFast, watchLeadId } from './support/survey-page.ts';

test('a qualified visitor: q=y and the specified query, then a clean address', async ({
  page,
  context,
}) => {
  const leadId = await watchLeadId(page);
  await openSurvey(page, '/survey/v4nv?s1=abc&gclid=x&sub2=two');
  const path = qualifyingPath();
  const arrived = page.waitForRequest((request) => request.url().includes('/survey-thank-you/'));
  await walkSurveyFast(page, v4, path);
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
  await expect(page.locator('[data-thank-you]')).toBeVisible();
  await expect.poll(() => new URL(page.url()).search).not.toMatch(/email|phone|zip_code|city/);
  expect(context.pages()).toHaveLength(1);
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({ sub_id: 'abc', sub_id2: 'two', gclid: 'x' });
  await examineBothSizes(page, 'thank-you');
});

test('a disqualified visitor: the partner’s page opens in a new tab, without personal data', async ({
  page,
  context,
}) => {
  const { flow, context: own } = await journeyAt('/survey/v4nv-es');
  const way = disqualifiedWay(flow, own)?.way as FlowPath;
  await openSurvey(page, '/survey/v4nv-es?s1=abc');
  const opened = context.waitForEvent('page');
  await walkSurveyFast(page, flow, newVisitor(flow, way));
  const partner = await opened;
  await partner.waitForLoadState();
  expect(partner.url()).toContain('/partner');
  expect(partner.url()).not.toMatch(/email|phone|example\.com/);
  expect(await partner.evaluate(() => document.referrer)).toBe('');
  await page.bringToFront();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(page.locator('[data-thank-you=disqualified]')).toBeVisible();
  await examineBothSizes(page, 'thank-you in Spanish');
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
