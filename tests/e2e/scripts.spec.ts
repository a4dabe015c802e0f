import { expect, type Page, type Request } from '@playwright/test';
import { v4 } from '../../src/flows/variants/v4.ts';
import { variantA } from '../../src/flows/variants/variant-a.ts';
import { qualifiedWay } from '../support/ways.ts';
import {
  journeyAt,
  newVisitor,
  openSurvey,
  qualifyingPath,
  test,
  unusualTest,
} from './support/journeys.ts';
import { deliveredLead } from './support/sandbox-client.ts';
import {
  answerStep,
  expectStep,
  walkSurveyFast,
  walkUpTo,
  watchLeadId,
} from './support/survey-page.ts';

/** Answers for every third party's host, and records the requests. */
async function thirdParties(page: Page, body: string): Promise<Request[]> {
  const asked: Request[] = [];
  await page.route(/^https:\/\/\w+\.example\//, async (route) => {
    asked.push(route.request());
    await route.fulfill({ contentType: 'text/javascript', body });
  });
  return asked;
}

const urls = (requests: readonly Request[]) => requests.map((request) => request.url());

unusualTest(
  'load at their step only, without a referrer or the visitor’s data',
  async ({ page }) => {
    const asked = await thirdParties(page, 'window.loads = (window.loads || 0) + 1;');
    await openSurvey(page, '/yt?s1=abc&gclid=x&email=canary@b.example');
    const expected: Record<string, string[]> = {
      AutoAccidentCaseWorth: ['https://ads.example/g.js'],
      WasUserInjured: ['https://ads.example/g.js'],
      TypeOfMedicalTreatment: ['https://ads.example/g.js', 'https://pixel.example/p.js?id=7'],
    };
    const { context } = await journeyAt('/yt');
    const path = newVisitor(variantA, qualifiedWay(variantA, context));
    for (const step of path.steps) {
      await expectStep(page, step);
      if (step === 'StartPath') expect(urls(asked)).toEqual([]);
      const wanted = expected[step];
      if (wanted) await expect.poll(() => urls(asked)).toEqual(wanted);
      await answerStep(page, variantA, step, path.answers[step] ?? {});
    }
    await page.waitForURL('**/survey-thank-you/**');
    expect(asked).toHaveLength(2);
    for (const request of asked) {
      expect((await request.allHeaders()).referer).toBeUndefined();
      expect(request.postData()).toBeNull();
    }
  },
);

unusualTest('the page’s policy allows a script no host but its own', async ({ page }) => {
  const asked = await thirdParties(
    page,
    'fetch("https://other.example/x"); new Image().src = "https://other.example/y";' +
      'window.ran = true;',
  );
  await openSurvey(page, '/survey/v4nv?affid=389');
  await walkUpTo(page, v4, qualifyingPath(), 'DidYouReceiveMedicalTreatment');
  await page.waitForFunction(() => 'ran' in window);
  await page.waitForLoadState('networkidle');
  expect(urls(asked)).toEqual(['https://ad.example/a.js']);
});

unusualTest(
  'a policy names only its own survey’s hosts, and none if none is set',
  async ({ request }) => {
    const policy = async (address: string) =>
      (await request.get(address)).headers()['content-security-policy'] ?? '';
    expect(await policy('/yt')).toContain('https://pixel.example');
    expect(await policy('/yt')).not.toContain('https://ad.example');
    expect(await policy('/survey/v4nv')).toContain('https://ad.example');
    expect(await policy('/survey-google')).not.toContain('https:');
    expect(await policy(`${process.env.E2E_BASE_URL}/yt`)).not.toContain('https:');
  },
);

unusualTest(
  'a page is the same for everybody: it neither contains nor needlessly requests the proxy’s state',
  async ({ request }) => {
    const page = async (path: string, state: string) =>
      (await request.get(path, { headers: { 'x-visitor-state': state } })).text();
    expect(await page('/survey/v4nv', 'AL')).toBe(await page('/survey/v4nv', 'TX'));
    expect(await page('/survey/v4nv', 'AL')).toContain('"asksVisitorState":true');
    expect(await page('/survey-sl', 'AL')).not.toContain('"asksVisitorState":true');
  },
);

unusualTest.describe('behind a proxy that says the visitor’s state', () => {
  unusualTest.use({
    extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.9', 'x-visitor-state': 'AL' },
  });

  unusualTest('the date of birth is asked', async ({ page }) => {
    const told = page.waitForResponse((response) => response.url().endsWith('/api/state'));
    await openSurvey(page, '/survey/v4nv');
    expect(await (await told).json()).toEqual({ state: 'AL' });
    const path = qualifyingPath();
    const steps = path.steps.slice(0, path.steps.indexOf('PhoneAndZip'));
    await walkSurveyFast(page, v4, { ...path, steps });
    await expectStep(page, 'DateOfBirth');
  });
});

unusualTest(
  'with prefilling off, the details leave the address and fill nothing',
  async ({ page }) => {
    const saved: string[] = [];
    page.on('request', (request) => saved.push(request.url() + (request.postData() ?? '')));
    await openSurvey(page, '/survey-sl/v2?s1=abc&email=canary@b.example&first_name=Canary');
    expect(new URL(page.url()).searchParams.get('s1')).toBe('abc');
    expect(page.url()).not.toMatch(/canary/i);
    await expectStep(page, 'NameAndEmail');
    await expect(page.locator('[name=email]')).toHaveValue('');
    await page.waitForLoadState('networkidle');
    await expect(page.locator('[name=first_name]')).toHaveValue('');
    expect(saved.slice(1).filter((text) => /canary/i.test(text))).toEqual([]);
  },
);

test('prefilled details are shown to confirm, and skip no step', async ({ page }) => {
  const leadId = await watchLeadId(page);
  const saved: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/save-data')) saved.push(request.postData() ?? '');
  });
  const path = qualifyingPath();
  const { email = '' } = path.answers.NameAndEmail ?? {};
  const { phone = '' } = path.answers.PhoneAndZip ?? {};
  const query = new URLSearchParams({
    affid: '252',
    firstName: 'Ann',
    last_name: 'Lee',
    email,
    phone: `+1${phone}`,
    zip_code: '10001',
    s1: 'abc',
  });
  await openSurvey(page, `/survey/v4nv?${query}`);
  expect(Object.keys(Object.fromEntries(new URL(page.url()).searchParams)).sort()).toEqual([
    '_ef_transaction_id',
    'affid',
    's1',
  ]);
  for (const step of path.steps) {
    await expectStep(page, step);
    const isContact = step === 'NameAndEmail' || step === 'PhoneAndZip';
    if (!isContact) {
      expect(saved.join()).not.toContain(email);
      await answerStep(page, v4, step, path.answers[step] ?? {});
      continue;
    }
    const shown: Record<string, string> =
      step === 'NameAndEmail'
        ? { first_name: 'Ann', last_name: 'Lee', email }
        : { zip_code: '10001' };
    for (const [name, value] of Object.entries(shown)) {
      await expect(page.locator(`[name=${name}]`)).toHaveValue(value);
    }
    await page.locator('[data-step] button[type=submit]').click();
  }
  await page.waitForURL('**/survey-thank-you/**');
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({
    first_name: 'Ann',
    last_name: 'Lee',
    email,
    phone,
    zip_code: '10001',
    affid: '252',
    sub_id: 'abc',
  });
  expect(body).not.toHaveProperty('traffic_source_pool');
});
