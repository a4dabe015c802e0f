import { rmSync } from 'node:fs';
import { expect, type Page, type Request } from '@playwright/test';
import { calendarDate } from '../../src/domain/dates.ts';
import type { Flow } from '../../src/flows/engine/flow.ts';
import { allPaths, type FlowPath } from '../../src/flows/engine/paths.ts';
import { dateAnswers, testSamples } from '../../src/flows/engine/test-samples.ts';
import { flowLoaders, type Survey, surveyAt, surveyFacts } from '../../src/flows/surveys.ts';
import { v4 } from '../../src/flows/variants/v4.ts';
import { variantA } from '../../src/flows/variants/variant-a.ts';
import { answeredSteps, qualifiedWay } from '../support/ways.ts';
import { openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { expectDeliveredOnce, ingestBodies } from './support/sandbox-client.ts';
import { type Stack, startStack } from './support/stack.ts';
import { answerStep, expectStep, walkSurvey, watchLeadId } from './support/survey-page.ts';

const today = calendarDate(new Date(), 'America/New_York');

/** Returns a path on which the visitor gives this answer about an injury. */
function injuryPath(surveyPath: string, flow: Flow, physical_injury: 'Yes' | 'No'): FlowPath {
  const survey = surveyAt(surveyPath);
  if (!survey) throw new Error(`no survey at ${surveyPath}`);
  const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
  const path = allPaths(flow, context, testSamples(today)).find(
    ({ answers }) => answers.WasUserInjured?.physical_injury === physical_injury,
  );
  if (!path) throw new Error(`no path with ${physical_injury}`);
  const WhenWasTheAccident = dateAnswers(today, 200);
  return { steps: path.steps, answers: { ...path.answers, WhenWasTheAccident } };
}

/** The v4 path up to the injury question. */
function throughInjury(physical_injury: 'Yes' | 'No'): FlowPath {
  const path = injuryPath('/survey/v4nv', v4, physical_injury);
  return { ...path, steps: path.steps.slice(0, path.steps.indexOf('WasUserInjured') + 1) };
}

/** Answers for every third party's host, and records the requests. */
async function thirdParties(page: Page, body = ''): Promise<Request[]> {
  const asked: Request[] = [];
  await page.route(/^https:\/\/\w+\.example\//, async (route) => {
    asked.push(route.request());
    if (body === 'abort') await route.abort();
    else await route.fulfill({ contentType: 'text/javascript', body });
  });
  return asked;
}

const urls = (requests: readonly Request[]) => requests.map((request) => request.url());

test.describe('scripts of third parties', () => {
  let stack: Stack;
  test.describe.configure({ mode: 'serial' });

  test.beforeAll(async () => {
    stack = await startStack({
      // A partner's tab would suspend the page.
      PARTNER_URL: '',
      PREFILL_PERCENTAGE: '0',
      TRUSTED_PROXIES: 'loopback',
      VISITOR_STATE_HEADER: 'X-Visitor-State',
      PIXEL_SCRIPT_URL: 'https://pixel.example/p.js?id=7',
      CASE_WORTH_SCRIPT_URL: 'https://ads.example/g.js',
      CASE_WORTH_FACEBOOK_SCRIPT_URL: 'https://ads.example/f.js',
      AD_PIXEL_SCRIPT_URL: 'https://ad.example/a.js',
      TICKET_SCRIPT_URL: 'https://ticket.example/t.js',
    });
  });
  test.afterAll(async () => {
    await stack?.stop();
    if (stack) rmSync(stack.dataDir, { recursive: true, force: true });
  });

  test('load at their step only, without a referrer or the visitor’s data', async ({ page }) => {
    const asked = await thirdParties(page, 'window.loads = (window.loads || 0) + 1;');
    await openSurvey(page, `${stack.url}/yt?s1=abc&gclid=x&email=canary@b.example`);
    const expected: Record<string, string[]> = {
      AutoAccidentCaseWorth: ['https://ads.example/g.js'],
      WasUserInjured: ['https://ads.example/g.js'],
      TypeOfMedicalTreatment: ['https://ads.example/g.js', 'https://pixel.example/p.js?id=7'],
    };
    const path = injuryPath('/yt', variantA, 'Yes');
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
  });

  // docs/specification.md#scripts-of-third-parties: the step before the script loads, and its step.
  for (const [path, before, at, script] of [
    ['/ticket', 'StartTicketFlow', 'TicketReceived', 'https://ticket.example/t.js'],
    ['/survey/progress', 'HowWasUserHurt', 'WhenWasTheAccident', 'https://pixel.example/p.js?id=7'],
    ['/survey/dui', 'WasUserInjured', 'PoliceReportFiled', 'https://pixel.example/p.js?id=7'],
  ] as const) {
    test(`${path}: ${script} loads at ${at}`, async ({ page }) => {
      const asked = await thirdParties(page);
      const survey = surveyAt(path) as Survey;
      const flow: Flow = await flowLoaders[survey.flow]();
      const context = { today, survey: surveyFacts(survey), settings: { dateOfBirthStates: [] } };
      const way = answeredSteps(flow, qualifiedWay(flow, context));
      await openSurvey(page, stack.url + path);
      for (const step of way.steps.slice(0, way.steps.indexOf(at))) {
        await expectStep(page, step);
        if (step === before) {
          await page.waitForLoadState('networkidle');
          expect(urls(asked)).toEqual([]);
        }
        await answerStep(page, flow, step, way.answers[step] ?? {});
      }
      await expectStep(page, at);
      await expect.poll(() => urls(asked)).toEqual([script]);
    });
  }

  test('the pixel does not load for the answer No; the other pool has its own ad script', async ({
    page,
  }) => {
    const asked = await thirdParties(page);
    await openSurvey(page, `${stack.url}/yt?fbclid=x`);
    await walkSurvey(page, variantA, injuryPath('/yt', variantA, 'No'));
    await page.waitForURL('**/survey-thank-you/**');
    expect(urls(asked)).toEqual(['https://ads.example/f.js']);
  });

  for (const [what, body] of [
    ['never comes', 'abort'],
    ['throws', 'throw new Error("broken third party");'],
  ] as const) {
    test(`a script that ${what} changes nothing`, async ({ page }) => {
      const asked = await thirdParties(page, body);
      await openSurvey(page, `${stack.url}/yt?gclid=x`);
      await walkSurvey(page, variantA, injuryPath('/yt', variantA, 'Yes'));
      await page.waitForURL('**/survey-thank-you/**');
      expect(asked).toHaveLength(2);
    });
  }

  test('the page’s policy allows a script no host but its own', async ({ page }) => {
    const asked = await thirdParties(
      page,
      'fetch("https://other.example/x"); new Image().src = "https://other.example/y";' +
        'window.ran = true;',
    );
    await openSurvey(page, `${stack.url}/survey/v4nv?affid=389`);
    await walkSurvey(page, v4, throughInjury('Yes'));
    await page.waitForFunction(() => 'ran' in window);
    await page.waitForLoadState('networkidle');
    expect(urls(asked)).toEqual(['https://ad.example/a.js']);
  });

  test('the ad pixel is for affiliate 389 and injury Yes only; the opt-out signal blocks it', async ({
    page,
    browser,
  }) => {
    const asked = await thirdParties(page);
    for (const [affid, answer] of [
      ['388', 'Yes'],
      ['389', 'No'],
    ] as const) {
      // The translation would resume the visit, so another survey is used.
      const path = affid === '388' ? '/survey/v4nv' : '/survey/v4nv-x1';
      await openSurvey(page, `${stack.url}${path}?affid=${affid}`);
      await walkSurvey(page, v4, throughInjury(answer));
      await page.waitForLoadState('networkidle');
      expect(asked).toEqual([]);
    }
    const optedOut = await browser.newPage();
    await optedOut.addInitScript(() => {
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
    });
    const askedOptedOut = await thirdParties(optedOut);
    await openSurvey(optedOut, `${stack.url}/survey/v4nv?affid=389`);
    await walkSurvey(optedOut, v4, throughInjury('Yes'));
    await optedOut.waitForLoadState('networkidle');
    expect(askedOptedOut).toEqual([]);
    await optedOut.close();
  });

  test('a policy names only its own survey’s hosts, and none if none is set', async ({
    request,
  }) => {
    const policy = async (address: string) =>
      (await request.get(address)).headers()['content-security-policy'] ?? '';
    expect(await policy(`${stack.url}/yt`)).toContain('https://pixel.example');
    expect(await policy(`${stack.url}/yt`)).not.toContain('https://ad.example');
    expect(await policy(`${stack.url}/survey/v4nv`)).toContain('https://ad.example');
    expect(await policy(`${stack.url}/survey-google`)).not.toContain('https:');
    expect(await policy('/yt')).not.toContain('https:');
  });

  for (const [state, hasQuestion] of [
    ['AL', true],
    ['TX', false],
  ] as const) {
    test(`a proxy that says ${state}: the date of birth is asked: ${hasQuestion}`, async ({
      browser,
    }) => {
      const context = await browser.newContext({
        extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.9', 'x-visitor-state': state },
      });
      const page = await context.newPage();
      const told = page.waitForResponse((response) => response.url().endsWith('/api/state'));
      await openSurvey(page, `${stack.url}/survey/v4nv`);
      expect(await (await told).json()).toEqual({ state });
      const path = qualifyingPath();
      const steps = path.steps.slice(0, path.steps.indexOf('PhoneAndZip'));
      await walkSurvey(page, v4, { ...path, steps });
      await expectStep(page, hasQuestion ? 'DateOfBirth' : 'PhoneAndZip');
      await context.close();
    });
  }

  test('a page is the same for everybody: it neither contains nor needlessly requests the proxy’s state', async ({
    request,
  }) => {
    const page = async (path: string, state: string) =>
      (await request.get(stack.url + path, { headers: { 'x-visitor-state': state } })).text();
    expect(await page('/survey/v4nv', 'AL')).toBe(await page('/survey/v4nv', 'TX'));
    expect(await page('/survey/v4nv', 'AL')).toContain('"asksVisitorState":true');
    expect(await page('/survey-sl', 'AL')).toContain('"asksVisitorState":false');
  });

  test('with prefilling off, the details leave the address and fill nothing', async ({ page }) => {
    const saved: string[] = [];
    page.on('request', (request) => saved.push(request.url() + (request.postData() ?? '')));
    await openSurvey(
      page,
      `${stack.url}/survey-sl/v2?s1=abc&email=canary@b.example&first_name=Canary`,
    );
    expect(new URL(page.url()).searchParams.get('s1')).toBe('abc');
    expect(page.url()).not.toMatch(/canary/i);
    await expectStep(page, 'NameAndEmail');
    await expect(page.locator('[name=email]')).toHaveValue('');
    await page.waitForLoadState('networkidle');
    await expect(page.locator('[name=first_name]')).toHaveValue('');
    expect(saved.slice(1).filter((text) => /canary/i.test(text))).toEqual([]);
  });
});

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
  const id = leadId();
  await expectDeliveredOnce(id);
  expect((await ingestBodies(id))[0]).toMatchObject({
    first_name: 'Ann',
    last_name: 'Lee',
    email,
    phone,
    zip_code: '10001',
    affid: '252',
    sub_id: 'abc',
  });
  expect((await ingestBodies(id))[0]).not.toHaveProperty('traffic_source_pool');
});
