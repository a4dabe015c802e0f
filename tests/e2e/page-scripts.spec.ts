import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { expect, type Page, type Route } from '@playwright/test';
import { v4 } from '../../src/flows/variants/v4.ts';
import { openSurvey, qualifyingPath, test } from './support/journeys.ts';
import { expectDeliveredOnce, ingestBodies } from './support/sandbox-client.ts';
import { noScripts, type Stack, startStack } from './support/stack.ts';
import { answerStep, expectStep, walkSurveyFast, watchLeadId } from './support/survey-page.ts';

/** The tests' server loads every script, each from the sandbox (sandbox/environment.ts). */
const sandbox = () => process.env.E2E_SANDBOX_URL ?? '';

/** Every third-party script and call of a v4 survey, by a part of its address. */
const scripts = {
  'click tracker': '/scripts/main.js',
  'click of the tracker': '/clk?',
  TrustedForm: '/trustedform.js',
  LeadiD: '/campaign/',
  'call tracking': '/ringba/',
  pixel: '/pixels/ad.js',
} as const;

/** A landing address with a unique sub id, the pool google and the pixel's affiliate. */
function landing(more = ''): { address: string; sub: string } {
  const sub = `s-${randomUUID().slice(0, 12)}`;
  return { address: `/survey/v4nv?s1=${sub}&gclid=x&affid=389${more}`, sub };
}

/** Returns the transaction ids of the clicks that the tracker counted for a sub id. */
async function clicksOf(sub: string, of = sandbox()): Promise<string[]> {
  const answer = await fetch(`${of}/_sandbox/effects?service=clicks`);
  const effects = (await answer.json()) as { key: string; detail: { sub1?: string } }[];
  return effects.filter(({ detail }) => detail.sub1 === sub).map(({ key }) => key);
}

const idInAddress = (page: Page) => new URL(page.url()).searchParams.get('_ef_transaction_id');

/** Collects the page's requests to the sandbox, as path and query. */
function watchSandbox(page: Page, of = sandbox()): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname, search } = new URL(request.url());
    if (origin === of) asked.push(pathname + search);
  });
  return asked;
}

/** Collects the bodies of the page's own lead posts. */
function watchPosts(page: Page): Record<string, string>[] {
  const posts: Record<string, string>[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/post-lead')) posts.push(request.postDataJSON());
  });
  return posts;
}

/** Collects the requests that the content security policy blocked. */
async function watchPolicy(page: Page): Promise<string[]> {
  const refused: string[] = [];
  await page.exposeFunction('tellRefused', (what: string) => refused.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { tellRefused } = window as unknown as { tellRefused(what: string): void };
      tellRefused(`${event.effectiveDirective} ${event.blockedURI}`);
    });
  });
  return refused;
}

/** The path up to, but without, the step `last`. */
function upTo(path: ReturnType<typeof qualifyingPath>, last: string) {
  return { ...path, steps: path.steps.slice(0, path.steps.indexOf(last)) };
}

/** Waits until every script that loads after the first answer has delivered its value. */
async function expectCollected(page: Page): Promise<void> {
  await expect(page.locator('#xxTrustedFormCertUrl_0')).toHaveValue(/\/certificates\//);
  await expect(page.locator('#leadid_token')).toHaveValue(/^[0-9A-F-]{36}$/);
  await expect(page.locator('.call')).toHaveText(/\(212\) 555-014\d/);
}

test('before the first answer, only the click and call tracking load, once the page takes taps; then the rest', async ({
  page,
}) => {
  const asked = watchSandbox(page);
  const { address, sub } = landing();
  // The page takes taps once the survey reports its first step.
  await page.addInitScript(() => {
    window.addEventListener('survey:step', () => performance.mark('takes taps'), { once: true });
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        const isForeign = node instanceof HTMLScriptElement && !node.src.startsWith(origin);
        if (isForeign && node.src) performance.mark('foreign');
      }
    }).observe(document, { childList: true, subtree: true });
  });
  await openSurvey(page, address);
  const foreign = () =>
    page.evaluate(
      () =>
        [...document.scripts].filter(({ src }) => src && !src.startsWith(location.origin)).length,
    );
  await expect.poll(() => clicksOf(sub)).toHaveLength(1);
  await expect(page.locator('.call')).toHaveText(/\(212\) 555-014\d/);
  await expect(page.locator('.call')).toBeInViewport();
  expect(await foreign()).toBe(2);
  expect(asked.filter((path) => /trustedform|campaign|pixels/.test(path))).toEqual([]);
  const at = await page.evaluate(() =>
    ['takes taps', 'foreign'].map((mark) => performance.getEntriesByName(mark)[0]?.startTime ?? 0),
  );
  expect(at[1]).toBeGreaterThan(at[0] as number);
  const path = qualifyingPath();
  await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
  await expectCollected(page);
  expect(await foreign()).toBe(4);
});

test('with every script on: the lead has every field, one form is live, the number is replaced, and the policy blocks nothing', async ({
  page,
}) => {
  const refused = await watchPolicy(page);
  const leadId = await watchLeadId(page);
  const posts = watchPosts(page);
  const asked = watchSandbox(page);
  const { address, sub } = landing('&sub2=two&uid=u7');
  await openSurvey(page, address);
  const own = idInAddress(page);
  const path = qualifyingPath();
  await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
  await expectCollected(page);
  const form = await page.evaluateHandle(() => document.querySelector('#survey form'));
  const isSameForm = () =>
    form.evaluate((kept) => kept?.isConnected && [...document.forms].join() === [kept].join());

  await expect.poll(() => clicksOf(sub)).toHaveLength(1);
  const [transactionId = ''] = await clicksOf(sub);
  await expect.poll(() => idInAddress(page)).toBe(transactionId);
  expect(transactionId).not.toBe(own);
  const call = page.locator('.call');
  await expect(call).toHaveAttribute('href', 'tel:+12125550142');
  await expect(call.locator('svg')).toHaveCount(1);
  await expect(call.locator('.call-number')).toHaveText('(212) 555-0142');

  for (const step of path.steps.slice(1)) {
    await expectStep(page, step);
    expect(await isSameForm(), `the form at ${step}`).toBe(true);
    // The pixel loads only after the injury question.
    const pixels = () => asked.filter((what) => what.startsWith('/pixels/ad.'));
    if (step === 'WasUserInjured') expect(pixels()).toEqual([]);
    if (step === 'HasLawyer') {
      await expect.poll(pixels).toEqual(['/pixels/ad.js', '/pixels/ad.svg']);
    }
    if (step === 'PhoneAndZip') {
      await expect(page.locator('#tcpa')).toHaveAttribute(
        'data-tf-element-role',
        'consent-language',
      );
    }
    await answerStep(page, v4, step, path.answers[step] ?? {});
  }
  await page.waitForURL('**/survey-thank-you/**');
  expect(await clicksOf(sub)).toEqual([transactionId]);
  await expect(page.locator('.call')).toHaveAttribute('href', 'tel:+12125550142');
  await expect(page.locator('.call-card .button')).toContainText('(212) 555-0142');

  expect(posts[0]?.call_tracking_number).toBe('2125550142');
  await expectDeliveredOnce(leadId());
  const [body = {}] = await ingestBodies(leadId());
  expect(body).toMatchObject({
    ef_transaction_id: transactionId,
    leadid_token: expect.stringMatching(/^[0-9A-F-]{36}$/),
    trusted_form_cert_id: expect.stringMatching(/^[0-9a-f]{40}$/),
    trustedform_cert_url: `${sandbox()}/certificates/${body.trusted_form_cert_id}`,
  });
  expect(body).not.toHaveProperty('call_tracking_number');
  expect(refused).toEqual([]);
});

test('a reload makes no second click and keeps its id; so does the way back through the survey', async ({
  page,
}) => {
  const { address, sub } = landing();
  await openSurvey(page, address);
  const path = qualifyingPath();
  await walkSurveyFast(page, v4, upTo(path, 'AtFault'));
  await expectStep(page, 'AtFault').catch(() => undefined);
  await expect.poll(() => clicksOf(sub)).toHaveLength(1);
  const [id = ''] = await clicksOf(sub);
  await expect.poll(() => idInAddress(page)).toBe(id);
  const step = await page.locator('[data-step]').getAttribute('data-step');
  await page.reload();
  await expectStep(page, step ?? '');
  await expectCollected(page);
  expect(idInAddress(page)).toBe(id);
  // A history entry from before the click had its id.
  await page.goBack();
  await expect.poll(() => idInAddress(page)).toBe(id);
  await page.reload();
  await expectCollected(page);
  expect(idInAddress(page)).toBe(id);
  expect(await clicksOf(sub)).toEqual([id]);
});

test('a visit in two tabs has one click with one id', async ({ page, context }) => {
  const { address, sub } = landing();
  const second = await context.newPage();
  await openSurvey(page, address);
  await openSurvey(second, address);
  const path = qualifyingPath();
  for (const tab of [page, second]) {
    await tab.bringToFront();
    await answerStep(tab, v4, 'StartPath', path.answers.StartPath ?? {});
    await expectCollected(tab);
    await expect.poll(() => clicksOf(sub)).toHaveLength(1);
  }
  const [id] = await clicksOf(sub);
  await expect.poll(() => idInAddress(page)).toBe(id);
  await expect.poll(() => idInAddress(second)).toBe(id);
});

test('a click id in the address is reused', async ({ page }) => {
  const brought = randomUUID().replaceAll('-', '');
  const asked = watchSandbox(page);
  const { address, sub } = landing(`&_ef_transaction_id=${brought}`);
  await openSurvey(page, address);
  const path = qualifyingPath();
  await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
  await expect.poll(() => asked.filter((what) => what.startsWith('/clk?'))).toHaveLength(1);
  await expectCollected(page);
  expect(asked.find((what) => what.startsWith('/clk?'))).toContain(`_ef_transaction_id=${brought}`);
  expect(idInAddress(page)).toBe(brought);
  expect(await clicksOf(sub)).toEqual([]);
});

test('the opt-out signal blocks every script', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
  });
  await page.setExtraHTTPHeaders({ 'sec-gpc': '1' });
  const asked = watchSandbox(page);
  const { address } = landing();
  await openSurvey(page, address);
  const data = await page.locator('#survey-data').textContent();
  expect(data).toContain('Global Privacy Control');
  await walkSurveyFast(page, v4, qualifyingPath());
  await page.waitForURL('**/survey-thank-you/**');
  expect(asked).toEqual([]);
});

test('the policy allows exactly the declared hosts, by directive, and none on other pages', async ({
  request,
}) => {
  const policyOf = async (path: string) => {
    const policy = (await request.get(path)).headers()['content-security-policy'] ?? '';
    return Object.fromEntries(
      policy.split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.filter((source) => /^https?:/.test(source))];
      }),
    );
  };
  const hosts = [sandbox()];
  expect(await policyOf('/survey/v4nv')).toMatchObject({
    'script-src': hosts,
    'connect-src': hosts,
    'img-src': hosts,
    'default-src': [],
    'style-src': [],
    'form-action': [],
  });
  // This survey has no pixel, so no image host.
  expect(await policyOf('/survey-google')).toMatchObject({ 'script-src': hosts, 'img-src': [] });
  // Site pages load call tracking only.
  for (const page of ['/', '/es/contact/', '/car-accident-laws/texas/']) {
    expect(await policyOf(page), page).toMatchObject({ 'script-src': hosts, 'img-src': [] });
  }
  for (const page of ['/do-not-sell-my-information/', '/survey-thank-you/', '/nothing-here']) {
    expect(Object.values(await policyOf(page)).flat(), page).toEqual([]);
  }
});

test('call tracking on the site: after the page has loaded, without contact details, in every text, for the whole tab', async ({
  page,
  browser,
  baseURL,
}) => {
  const refused = await watchPolicy(page);
  const asked = watchSandbox(page);
  let isLoaded = false;
  page.on('load', () => {
    isLoaded = true;
  });
  page.on('request', (request) => {
    if (request.url().startsWith(sandbox())) expect(isLoaded).toBe(true);
  });
  await page.goto('/contact/?gclid=x&E-Mail=maria%40mail.example&s1=abc');
  const links = page.locator('a[href^="tel:"]');
  await expect(page.locator('.top-call')).toHaveText(/\(212\) 555-0142/);
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('href', 'tel:+12125550142');
  }
  expect(await page.locator('body').textContent()).not.toContain('(800) 555-0100');
  expect(asked).toEqual(['/ringba/google']);
  expect(new URL(page.url()).search).toBe('?gclid=x&s1=abc');

  // The tab's next page shows the same number without another request.
  await page.goto('/car-accident-lawsuits/faqs/');
  await expect(page.locator('.top-call')).toHaveText(/\(212\) 555-0142/);
  expect(asked).toHaveLength(1);
  expect(refused).toEqual([]);

  // Nothing loads with the opt-out signal, on the opt-out page, or with contact details in the referrer.
  const context = await browser.newContext({ ...(baseURL && { baseURL }) });
  const other = await context.newPage();
  const askedByOther = watchSandbox(other);
  await other.goto('/do-not-sell-my-information/', { waitUntil: 'networkidle' });
  await other.goto('/about-us/', {
    waitUntil: 'networkidle',
    referer: `${baseURL}/?phone=2125550123`,
  });
  await other.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
  });
  await other.goto('/about-us/', { waitUntil: 'networkidle' });
  await expect(other.locator('.top-call')).toHaveText(/\(800\) 555-0100/);
  expect(askedByOther).toEqual([]);
  await context.close();
});

test('“call now” on a later screen shows the tracked number', async ({ page }) => {
  await openSurvey(page, '/benefits?gclid=x');
  await page.locator('[data-step] button[type=submit]').click();
  await expect(page.locator('.call')).toHaveText(/\(212\) 555-0142/);
  await page.locator('button[name=ageGroup]').first().click();
  await page.locator('button[name=isUSCitizen]').first().click();
  await expectStep(page, 'SecuredBenefits');
  const callNow = page.locator('[data-step] a.button');
  await expect(callNow).toHaveAttribute('href', 'tel:+12125550142');
  await expect(callNow).toContainText('(212) 555-0142');
});

test('if a widget replaces only the link, its text and every other link follow', async ({
  page,
}) => {
  await page.route(
    (url) => url.pathname.startsWith('/ringba/'),
    (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'document.querySelector(".call").href = "tel:2125550198";',
      }),
  );
  await openSurvey(page, '/survey/v4nv?gclid=x');
  const path = qualifyingPath();
  await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
  await expect(page.locator('.call-number')).toHaveText('(212) 555-0198');
  const links = page.locator('a[href^="tel:"]');
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('href', 'tel:+12125550198');
  }
});

test('a widget that replaces the header’s link with its own is followed', async ({ page }) => {
  await page.route(
    (url) => url.pathname.startsWith('/ringba/'),
    (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `document.querySelector(".call").outerHTML =
          '<a class="call" href="tel:+12125550197">(212) 555-0197</a>';`,
      }),
  );
  await openSurvey(page, '/survey/v4nv?gclid=x');
  const path = qualifyingPath();
  await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
  await expect(page.locator('.call')).toHaveText('(212) 555-0197');
  // Stored for the thank-you page.
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('survey-call-number')))
    .toBe('2125550197');
});

/** How a third party can fail; a hanging request is never answered. */
const failures: Readonly<Record<string, (route: Route) => Promise<unknown> | undefined>> = {
  fails: (route) => route.fulfill({ status: 500, body: 'Internal Server Error' }),
  'is blocked': (route) => route.abort('blockedbyclient'),
  hangs: () => undefined,
  throws: (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken");' }),
  'answers rubbish': (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><h1>It works!</h1>' }),
};

/** Rotates the failures: in a walk all fail differently, and over all walks each in every way. */
function failingByTurns(names: readonly (keyof typeof scripts)[]) {
  const ways = Object.keys(failures);
  return ways.map((_, turn) =>
    names.map((name, index) => [name, ways[(turn + index) % ways.length] ?? ''] as const),
  );
}

const pageScripts = ['TrustedForm', 'LeadiD', 'call tracking', 'pixel'] as const;
/** Without the tracker's script there is no click, so the two fail in separate walks. */
const walksWithFailures = {
  'scripts that each fail in another way, including the click tracker': failingByTurns([
    'click tracker',
    ...pageScripts,
  ]),
  'scripts that all fail in the same way, including the tracker’s click': Object.keys(failures).map(
    (how) =>
      (['click of the tracker', ...pageScripts] as const).map((name) => [name, how] as const),
  ),
};

for (const [title, walks] of Object.entries(walksWithFailures)) {
  test(`${title}, change nothing`, async ({ browser, baseURL }) => {
    for (const failing of walks) {
      await test.step(failing.map((each) => each.join(' ')).join(', '), async () => {
        const context = await browser.newContext({ baseURL: baseURL ?? '' });
        const page = await context.newPage();
        for (const [name, how] of failing) {
          await page.route(
            (url) => url.origin === sandbox() && url.href.includes(scripts[name]),
            async (route) => {
              await failures[how]?.(route);
            },
          );
        }
        const leadId = await watchLeadId(page);
        const { address } = landing();
        await openSurvey(page, address);
        const own = idInAddress(page);
        const path = qualifyingPath();
        await walkSurveyFast(page, v4, upTo(path, 'PhoneAndZip'));
        await expectStep(page, 'PhoneAndZip');
        await answerStep(page, v4, 'PhoneAndZip', path.answers.PhoneAndZip ?? {});
        await page.waitForURL('**/survey-thank-you/**');
        await expectDeliveredOnce(leadId());
        const [body = {}] = await ingestBodies(leadId());
        expect(body.ef_transaction_id).toBe(own);
        await context.close();
      });
    }
  });
}

test('a working tracker among failing scripts has its click on the lead', async ({ page }) => {
  for (const name of pageScripts) {
    await page.route(
      (url) => url.origin === sandbox() && url.href.includes(scripts[name]),
      (route) => route.abort('blockedbyclient'),
    );
  }
  const leadId = await watchLeadId(page);
  const { address, sub } = landing();
  await openSurvey(page, address);
  await walkSurveyFast(page, v4, qualifyingPath());
  await page.waitForURL('**/survey-thank-you/**');
  await expectDeliveredOnce(leadId());
  const [body = {}] = await ingestBodies(leadId());
  expect(await clicksOf(sub)).toEqual([body.ef_transaction_id]);
});

test.describe('other settings', () => {
  let stack: Stack;
  test.describe.configure({ mode: 'serial' });

  test.beforeAll(async () => {
    stack = await startStack((sandboxUrl) => ({
      PARTNER_URL: '',
      CLICK_TRACKER_BY: 'server',
      CALL_TRACKING: 'invoca',
      CALL_TRACKING_SCRIPT_URL: `${sandboxUrl}/js/invoca-latest.min.js`,
      CALL_TRACKING_FACEBOOK_SCRIPT_URL: '',
      CALL_TRACKING_TAG_ID: '1/exhausted',
      CALL_TRACKING_FACEBOOK_TAG_ID: '1/facebook',
    }));
  });
  test.afterAll(async () => {
    await stack?.stop();
    if (stack) rmSync(stack.dataDir, { recursive: true, force: true });
  });

  test('our server makes the click: the same id, once, and without the tracker’s script', async ({
    page,
  }) => {
    const asked = watchSandbox(page, stack.sandboxUrl);
    const { address, sub } = landing();
    await openSurvey(page, stack.url + address);
    const path = qualifyingPath();
    await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
    await expect.poll(() => clicksOf(sub, stack.sandboxUrl)).toHaveLength(1);
    const [id = ''] = await clicksOf(sub, stack.sandboxUrl);
    await expect.poll(() => idInAddress(page)).toBe(id);
    await page.reload();
    await expect(page.locator('#leadid_token')).toHaveValue(/^[0-9A-F-]{36}$/);
    expect(idInAddress(page)).toBe(id);
    expect(await clicksOf(sub, stack.sandboxUrl)).toEqual([id]);
    expect(asked.filter((what) => /^\/(clk|scripts)/.test(what))).toEqual([]);
  });

  test('an exhausted pool keeps the default number; the other pool has its own', async ({
    page,
  }) => {
    const tracking = page.waitForResponse((response) => response.url().includes('invoca'));
    await openSurvey(page, `${stack.url}/survey/v4nv?gclid=x`);
    const before = await page.locator('.call').textContent();
    const path = qualifyingPath();
    await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
    await (await tracking).finished();
    // After two frames the script's change would be visible.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await page.locator('.call').textContent()).toBe(before);
    expect(before).toContain('(800) 555-0100');

    await openSurvey(page, `${stack.url}/survey/v4nv-rz?fbclid=x`);
    await answerStep(page, v4, 'StartPath', path.answers.StartPath ?? {});
    await expect(page.locator('.call')).toHaveText(/\(212\) 555-0143/);
  });
});

test.describe('without scripts', () => {
  let stack: Stack;
  test.beforeAll(async () => {
    stack = await startStack({ ...noScripts, PARTNER_URL: '' });
  });
  test.afterAll(async () => {
    await stack?.stop();
    if (stack) rmSync(stack.dataDir, { recursive: true, force: true });
  });

  test('no request leaves our own host', async ({ page }) => {
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(stack.url) && !request.url().startsWith('data:')) {
        foreign.push(request.url());
      }
    });
    await openSurvey(page, `${stack.url}/survey/v4nv?s1=abc`);
    await walkSurveyFast(page, v4, qualifyingPath());
    await page.waitForURL('**/survey-thank-you/**');
    await page.waitForLoadState('networkidle');
    expect(foreign).toEqual([]);
  });
});
