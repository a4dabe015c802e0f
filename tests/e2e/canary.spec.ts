import { expect, type Page, type Request } from '@playwright/test';
import { qualifiedWay } from '../support/ways.ts';
import { keptData } from './support/browser-storage.ts';
import { journeyAt, newVisitor, openSurvey, test } from './support/journeys.ts';
import { expectDeliveredOnce } from './support/sandbox-client.ts';
import { walkSurveyFast, watchLeadId } from './support/survey-page.ts';

/**
 * No personal value leaks from the browser. A visitor enters a canary in every personal field. No canary may
 * then appear in an address, a referrer, the console, a third party's request or browser storage. The
 * server's part: tests/faults/canary.test.ts.
 */
const canaries: Readonly<Record<string, string>> = {
  first_name: 'Kanaria',
  last_name: 'Kanarienvogel',
  address: '4711 Canary Lane',
  case_description: 'The canary sat in my car when a truck hit it from behind at a red light.',
};

/** Returns everything that the page and the browser store, except what is on screen. */
async function traces(page: Page): Promise<string> {
  const ofPage = await page.evaluate(async () => {
    const caches_ = await Promise.all(
      (await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => url),
      ),
    );
    const { href } = location;
    const { cookie, referrer, title } = document;
    return JSON.stringify([href, cookie, referrer, title, window.name, history.state, caches_]);
  });
  const cookies = JSON.stringify(await page.context().cookies());
  return ofPage + cookies + (await keptData(page));
}

/** This survey asks for every personal field. */
const path = '/f';

test('canaries in the personal fields leave no trace', async ({ page }) => {
  const { flow, context } = await journeyAt(path);
  const way = newVisitor(flow, qualifiedWay(flow, context));
  for (const [step, given] of Object.entries(way.answers)) {
    const own = Object.entries(given).map(([field, value]) => [field, canaries[field] ?? value]);
    Object.assign(way.answers, { [step]: Object.fromEntries(own) });
  }
  const { email = '', phone = '' } = Object.assign({}, ...Object.values(way.answers));
  const local = email.split('@')[0] ?? '';
  const canary = new RegExp(
    `kanar|canary|${local}|${phone.slice(0, 3)}\\D*${phone.slice(3, 6)}\\D*${phone.slice(6)}`,
    'i',
  );
  const asked = JSON.stringify(way.answers);
  for (const value of Object.values(canaries)) expect(asked).toContain(value);
  expect(asked).toMatch(canary);

  const requests: Request[] = [];
  const said: string[] = [];
  page.context().on('request', (request) => requests.push(request));
  page.on('console', (message) => said.push(message.text()));
  const leadId = await watchLeadId(page);
  await openSurvey(page, `${path}?s1=abc`, 'https://ads.example.net/');
  await walkSurveyFast(page, flow, way);
  await page.waitForURL('**/survey-thank-you/**');
  await expectDeliveredOnce(leadId());
  await expect.poll(() => traces(page)).not.toMatch(canary);

  // Neither another page nor the return to the survey may bring a canary back.
  await page.evaluate(() => {
    location.href = '/';
  });
  await page.waitForURL((url) => url.pathname === '/');
  expect(await traces(page)).not.toMatch(canary);
  await openSurvey(page, path);
  expect(await traces(page)).not.toMatch(canary);
  await expect(page.locator('main')).not.toContainText(canary);

  const own = new URL(page.url()).origin;
  let arrivals = 0;
  for (const request of requests) {
    const url = new URL(request.url());
    const { referer = '', ...headers } = await request.allHeaders();
    expect(referer, request.url()).not.toMatch(canary);
    expect(JSON.stringify(headers)).not.toMatch(canary);
    if (url.origin !== own) expect(request.postData() ?? '').not.toMatch(canary);
    // The only address that may contain them (docs/specification.md#thank-you-query).
    if (request.isNavigationRequest() && url.pathname === '/survey-thank-you/') arrivals += 1;
    else expect(decodeURIComponent(request.url())).not.toMatch(canary);
  }
  expect(arrivals).toBe(1);
  expect(said.filter((line) => canary.test(line))).toEqual([]);
});
