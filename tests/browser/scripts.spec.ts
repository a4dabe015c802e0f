/** Tests third-party scripts of survey pages, and the call-tracking phone number. */
import { randomUUID } from 'node:crypto';
import { expect, type Page, type Route } from '@playwright/test';
import { v4 } from '../../src/model/flows/variants/v4.ts';
import { collectErrors } from './support/checks.ts';
import { askSandbox, deliveredLead, demo, expectTagged } from './support/sandbox.ts';
import { answerStep, expectStep, walkSurvey, watchLeadId } from './support/survey-page.ts';
import { openSurvey, qualifyingPath, test } from './support/visits.ts';

/** Maps each third-party script of a v4 survey to a part of its URL. */
const scripts = {
  'click tracker': '/scripts/main.js',
  'click of the tracker': '/clk?',
  TrustedForm: '/trustedform.js',
  LeadiD: '/campaign/',
  'call tracking': '/ringba/',
  pixel: '/pixels/ad.js',
} as const;

/** Returns a landing page's URL with a unique sub id. */
function landing(): { address: string; sub: string } {
  const sub = `s-${randomUUID().slice(0, 12)}`;
  return { address: `/survey/v4nv?s1=${sub}&gclid=x&affid=389`, sub };
}

async function clicksOf(sub: string): Promise<string[]> {
  type Click = { key: string; detail: { sub1?: string } };
  const effects = await askSandbox<Click[]>('effects?service=clicks');
  return effects.filter(({ detail }) => detail.sub1 === sub).map(({ key }) => key);
}

const idInAddress = (page: Page) => new URL(page.url()).searchParams.get('_ef_transaction_id');

/** Waits until the page's URL has the transaction id of the ad click, and returns the id. */
async function expectClick(page: Page, sub: string): Promise<string> {
  await expect.poll(() => clicksOf(sub)).toHaveLength(1);
  const [id = ''] = await clicksOf(sub);
  await expect.poll(() => idInAddress(page)).toBe(id);
  return id;
}

/** Returns a list to which each request of the page to the sandbox is added, as path and query. */
function watchSandbox(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname, search } = new URL(request.url());
    if (origin === demo().sandboxUrl) asked.push(pathname + search);
  });
  return asked;
}

async function answerFirst(page: Page): Promise<void> {
  await answerStep(page, v4, 'StartPath', { accident_type: 'Car Accident' });
  await expect(page.locator('#xxTrustedFormCertUrl_0')).toHaveValue(/\/[0-9a-f]{40}$/);
  await expect(page.locator('#leadid_token')).toHaveValue(/^[0-9A-F-]{36}$/);
  await expect(page.locator('.call')).toHaveText(/\(212\) 555-014\d/);
}

test('a sent lead has the values of all third-party scripts', async ({ page }) => {
  const errors = collectErrors(page);
  const leadId = await watchLeadId(page);
  const asked = watchSandbox(page);
  const { address, sub } = landing();
  await openSurvey(page, address);
  const own = idInAddress(page);
  const path = qualifyingPath();
  const transactionId = await expectClick(page, sub);
  expect(transactionId).not.toBe(own);
  await expect(page.locator('.call')).toHaveAttribute('href', 'tel:+12125550142');
  expect(asked.filter((what) => /trustedform|campaign|pixels/.test(what))).toEqual([]);
  await answerFirst(page);
  for (const step of path.steps.slice(1)) {
    await expectStep(page, step);
    // The pixel must load only after the visitor has answered the injury question.
    const pixels = () => asked.filter((what) => what.startsWith('/pixels/ad.'));
    if (step === 'WasUserInjured') expect(pixels()).toEqual([]);
    if (step === 'HasLawyer') {
      await expect.poll(pixels).toEqual(['/pixels/ad.js', '/pixels/ad.svg']);
    }
    await answerStep(page, v4, step, path.answers[step] ?? {});
  }
  await page.waitForURL('**/survey-thank-you/**');
  expect(await clicksOf(sub)).toEqual([transactionId]);
  await expect(page.locator('.call-card .button')).toContainText('(212) 555-0142');
  const body = await deliveredLead(leadId());
  expect(body).toMatchObject({
    ef_transaction_id: transactionId,
    leadid_token: expect.stringMatching(/^[0-9A-F-]{36}$/),
    trustedform_cert_url: `${demo().sandboxUrl}/${body.trusted_form_cert_id}`,
  });
  await expectTagged(body);
  expect(errors).toEqual([]);
});

test('a page that is hidden reports its speed without a cookie', async ({ page }) => {
  const answered = Promise.withResolvers<void>();
  await page.route(/\/page-speed\..*js$/, async (route) => {
    await answered.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/page-speed\..*js$/);
  await openSurvey(page, '/survey/v4nv');
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver(resolve).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
  const script = (await asked).url();
  await answerStep(page, v4, 'StartPath', { accident_type: 'Car Accident' });
  await expectStep(page, 'WhenWasTheAccident');
  // The script starts on the second step. The paint is of the first.
  answered.resolve();
  await page.evaluate((url) => import(url), script);
  // A key ends the search for the largest paint, as soon as the browser is idle.
  await page.keyboard.press('Shift');
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  const reporting = page.waitForRequest('**/page-speed');
  // Playwright does not see the requests of a page that is being left.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
  const report = await reporting;
  expect((await report.response())?.status()).toBe(204);
  expect((await report.allHeaders()).cookie).toBeUndefined();
  expect(report.postDataJSON()).toMatchObject({
    page: '/survey/v4nv',
    values: expect.arrayContaining([expect.objectContaining({ metric: 'LCP', step: 'StartPath' })]),
  });
});

test('a page sends no request to third parties if the browser sends the opt-out signal', async ({
  page,
  baseURL,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
  });
  await page.setExtraHTTPHeaders({ 'sec-gpc': '1' });
  const foreign: string[] = [];
  page.on('request', (request) => {
    // The page must not report its speed either.
    if (request.url().endsWith('/page-speed')) foreign.push(request.url());
    const isOurs = request.url().startsWith(String(baseURL)) || request.url().startsWith('data:');
    if (!isOurs) foreign.push(request.url());
  });
  await openSurvey(page, landing().address);
  await walkSurvey(page, v4, qualifyingPath());
  await page.waitForURL('**/survey-thank-you/**');
  await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  await page.goto('/about-us/', { waitUntil: 'networkidle' });
  await expect(page.locator('.top-call')).toHaveText(/\(800\) 555-0100/);
  expect(foreign).toEqual([]);
});

/** Maps each kind of failure to a function that answers a request in this way. */
const failures: Readonly<Record<string, (route: Route) => Promise<unknown> | undefined>> = {
  fails: (route) => route.fulfill({ status: 500, body: 'Internal Server Error' }),
  'is blocked': (route) => route.abort('blockedbyclient'),
  hangs: () => undefined,
  throws: (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken");' }),
  'answers rubbish': (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><h1>It works!</h1>' }),
};
const ways = Object.keys(failures);

for (const [turn, way] of ways.entries()) {
  const failing = (Object.keys(scripts) as (keyof typeof scripts)[])
    .filter((name) => turn % 2 === 0 || name !== 'click tracker')
    .map((name, index) => [name, ways[(turn + index) % ways.length] ?? way] as const);
  const title = failing.map((each) => each.join(' ')).join(', ');
  test(`a visitor can send a lead although third-party scripts fail (${title})`, {
    tag: turn === 0 ? [] : '@all',
  }, async ({ page }) => {
    for (const [name, how] of failing) {
      await page.route(
        (url) => url.origin === demo().sandboxUrl && url.href.includes(scripts[name]),
        async (route) => {
          await failures[how]?.(route);
        },
      );
    }
    const leadId = await watchLeadId(page);
    await openSurvey(page, landing().address);
    const own = idInAddress(page);
    await walkSurvey(page, v4, qualifyingPath());
    await page.waitForURL('**/survey-thank-you/**');
    // If the click tracker returns no id, the lead has the transaction id that the page created.
    expect(await deliveredLead(leadId())).toMatchObject({ ef_transaction_id: own });
  });
}

test('every page of a visit shows the same call-tracking number @all', async ({ page }) => {
  let loads = 0;
  // Imitates a widget that shows a different phone number each time it loads.
  await page.route(
    (url) => url.pathname.startsWith('/ringba/'),
    async (route) => {
      loads += 1;
      const body = `document.querySelector('.call-number, .top-call-number').textContent = '(212) 555-019${loads}';`;
      await route.fulfill({ contentType: 'text/javascript', body });
    },
  );
  await openSurvey(page, '/survey/v4nv?gclid=x');
  await expect(page.locator('.call')).toContainText('(212) 555-0191');
  await page.locator('#other-language').click();
  await page.waitForURL('**/survey/v4nv-es?*');
  await expect(page.locator('.call')).toContainText('(212) 555-0191');
  for (const path of ['/es/', '/do-not-sell-my-information/']) {
    await page.goto(path);
    await expect(page.locator('.top-call')).toHaveText(/\(212\) 555-0191/);
  }
  await page.goto('/survey-thank-you/?q=y');
  await expect(page.locator('.call-card a.button')).toContainText('(212) 555-0191');
  await expect(page.locator('#contact-card')).toHaveAttribute('href', /%2B12125550191%0D/);
  expect(loads).toBe(1);
});
