import { expect, type Page, type Route } from '@playwright/test';
import { v4 } from '../../src/flows/variants/v4.ts';
import { keptData } from './support/browser-storage.ts';
import { openSurvey, qualifyingPath, test, unusualTest } from './support/journeys.ts';
import { deliveredLead } from './support/sandbox-client.ts';
import {
  answerFirst,
  clicksOf,
  expectClick,
  expectCollected,
  idInAddress,
  landing,
  sandbox,
  watchPolicy,
  watchSandbox,
} from './support/sandbox-scripts.ts';
import { answerStep, expectStep, walkSurveyFast, watchLeadId } from './support/survey-page.ts';

/** Every third-party script and call of a v4 survey, by a part of its address. */
const scripts = {
  'click tracker': '/scripts/main.js',
  'click of the tracker': '/clk?',
  TrustedForm: '/trustedform.js',
  LeadiD: '/campaign/',
  'call tracking': '/ringba/',
  pixel: '/pixels/ad.js',
} as const;

/** Collects the bodies of the page's own lead posts. */
function watchPosts(page: Page): Record<string, string>[] {
  const posts: Record<string, string>[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/post-lead')) posts.push(request.postDataJSON());
  });
  return posts;
}

/** Waits until the visit is stored with its click's id, which happens after the address changes. */
async function expectKeptClick(page: Page, id: string): Promise<void> {
  await expect.poll(() => keptData(page)).toContain(`"ef_transaction_id":"${id}"`);
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
  await answerFirst(page);
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

  const transactionId = await expectClick(page, sub);
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

  const body = await deliveredLead(leadId());
  // The thank-you page may have posted the lead.
  expect(posts[0]?.call_tracking_number).toBe('2125550142');
  expect(body).toMatchObject({
    ef_transaction_id: transactionId,
    leadid_token: expect.stringMatching(/^[0-9A-F-]{36}$/),
    trusted_form_cert_id: expect.stringMatching(/^[0-9a-f]{40}$/),
    trustedform_cert_url: `${sandbox()}/${body.trusted_form_cert_id}`,
  });
  expect(body).not.toHaveProperty('call_tracking_number');
  expect(refused).toEqual([]);
});

test('a second tab and a reload make no other click and keep its id; so does the way back', async ({
  page,
  context,
}) => {
  const { address, sub } = landing();
  const second = await context.newPage();
  await openSurvey(page, address);
  // The click is stored before it is made.
  await expect.poll(() => keptData(page)).toContain('countedClick');
  await openSurvey(second, address);
  for (const tab of [second, page]) {
    await tab.bringToFront();
    await answerFirst(tab);
    await expectCollected(tab);
    await expect.poll(() => clicksOf(sub)).toHaveLength(1);
  }
  const [id = ''] = await clicksOf(sub);
  for (const tab of [second, page]) await expect.poll(() => idInAddress(tab)).toBe(id);
  await expectKeptClick(page, id);
  await page.reload();
  await expectStep(page, 'WhenWasTheAccident');
  await expectCollected(page);
  expect(idInAddress(page)).toBe(id);
  // A history entry from before the click had its id.
  await page.goBack();
  await expect.poll(() => idInAddress(page)).toBe(id);
  expect(await clicksOf(sub)).toEqual([id]);
});

test('the opt-out signal blocks every script: no request leaves our own host', async ({
  page,
  baseURL,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
  });
  await page.setExtraHTTPHeaders({ 'sec-gpc': '1' });
  const foreign: string[] = [];
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(String(baseURL)) || request.url().startsWith('data:');
    if (!isOurs) foreign.push(request.url());
  });
  const { address } = landing();
  await openSurvey(page, address);
  const data = await page.locator('#survey-data').textContent();
  expect(data).toContain('Global Privacy Control');
  await walkSurveyFast(page, v4, qualifyingPath());
  await page.waitForURL('**/survey-thank-you/**');
  await expect(page.locator('#lead-status')).toHaveAttribute('data-state', 'received');
  expect(foreign).toEqual([]);
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

const pageScripts = ['TrustedForm', 'LeadiD', 'call tracking', 'pixel'] as const;
const ways = Object.keys(failures);

/**
 * Each script fails in another way. Without the tracker's script there is no click, so the two fail in separate
 * walks. `npm test -- every-path` lets each script fail in every way.
 */
const walks = ways.flatMap((way, turn) =>
  (['click tracker', 'click of the tracker', undefined] as const).map((tracker) => ({
    tag: turn === 0 && tracker !== 'click of the tracker' ? [] : ['@every-path'],
    tracker,
    failing: [
      ...pageScripts.map((name, index) => [name, ways[(turn + index + 1) % ways.length]] as const),
      ...(tracker ? [[tracker, way] as const] : []),
    ],
  })),
);

for (const { tag, tracker, failing } of walks) {
  const title = failing.map((each) => each.join(' ')).join(', ');
  test(`${title}: nothing changes`, { tag }, async ({ page }) => {
    for (const [name, how = ''] of failing) {
      await page.route(
        (url) => url.origin === sandbox() && url.href.includes(scripts[name]),
        async (route) => {
          await failures[how]?.(route);
        },
      );
    }
    const leadId = await watchLeadId(page);
    const { address, sub } = landing();
    await openSurvey(page, address);
    const own = idInAddress(page);
    // The walk is faster than a visitor, and the lead does not wait long for a click.
    if (!tracker) await expectClick(page, sub);
    await walkSurveyFast(page, v4, qualifyingPath());
    await page.waitForURL('**/survey-thank-you/**');
    const { ef_transaction_id } = await deliveredLead(leadId());
    if (tracker) expect(ef_transaction_id).toBe(own);
    else expect(await clicksOf(sub)).toEqual([ef_transaction_id]);
  });
}

unusualTest(
  'our server makes the click: the same id, once, and without the tracker’s script',
  async ({ page }) => {
    const asked = watchSandbox(page);
    const { address, sub } = landing();
    await openSurvey(page, address);
    await answerFirst(page);
    const id = await expectClick(page, sub);
    await expectKeptClick(page, id);
    await page.reload();
    await expect(page.locator('#leadid_token')).toHaveValue(/^[0-9A-F-]{36}$/);
    expect(idInAddress(page)).toBe(id);
    expect(await clicksOf(sub)).toEqual([id]);
    expect(asked.filter((what) => /^\/(clk|scripts)/.test(what))).toEqual([]);
  },
);
