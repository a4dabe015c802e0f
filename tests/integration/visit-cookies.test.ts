/** A first form resumes only a visit of its own browser (docs/specification.md#without-javascript). */
import { expect, test } from 'vitest';
import { builtSiteForTests } from '../support/built-site.ts';
import { PlainBrowser } from '../support/plain-browser.ts';

const site = builtSiteForTests(() => ({ TRUSTED_PROXIES: 'loopback' }));

const COOKIE = 'visit_survey-sl';

/** Returns a browser at this address, on the first page of the short form. */
async function browserFrom(address: string, userAgent = 'PlainBrowser/1.0') {
  const headers = { 'x-forwarded-for': address, 'user-agent': userAgent };
  const browser = new PlainBrowser(headers);
  await browser.get(`${site.server.url}/survey-sl?s1=abc`);
  return browser;
}

const leadIdOf = (browser: PlainBrowser) => browser.cookies.get(COOKIE)?.value.split('.')[0] ?? '';

test('a first form begins a new visit if another browser planted its cookie', async () => {
  const thief = await browserFrom('203.0.113.66');
  await thief.press(['accident_type', 'Car Accident']);
  const planted = thief.cookies.get(COOKIE) ?? { value: '', path: '/' };
  const before = await site.everythingOf(leadIdOf(thief));

  for (const [address, userAgent] of [
    ['203.0.113.7', undefined],
    ['203.0.113.66', 'AnotherBrowser/1.0'],
  ] as const) {
    const victim = await browserFrom(address, userAgent);
    victim.cookies.set(COOKIE, planted);
    await victim.press(['accident_type', 'Truck Accident']);
    expect(victim.step).toBe('WhenWasTheAccident');
    expect(leadIdOf(victim)).not.toBe(leadIdOf(thief));
    expect((await site.leadOf(leadIdOf(victim))).visit?.form).toMatchObject({
      state: { given: { StartPath: { accident_type: 'Truck Accident' } } },
    });
  }
  expect(await site.everythingOf(leadIdOf(thief))).toEqual(before);
});

test('a first form begins a new visit if the cookie’s visit never saved anything', async () => {
  const thief = await browserFrom('203.0.113.66');
  // A first form without an answer: the visit is stored, but none of its steps.
  await thief.post([['step', 'StartPath']]);
  const victim = await browserFrom('203.0.113.7');
  victim.cookies.set(COOKIE, thief.cookies.get(COOKIE) ?? { value: '', path: '/' });
  await victim.press(['accident_type', 'Truck Accident']);
  expect(leadIdOf(victim)).not.toBe(leadIdOf(thief));
});

test('a first form resumes the visit of its own browser', async () => {
  const browser = await browserFrom('203.0.113.7');
  await browser.press(['accident_type', 'Car Accident']);
  await browser.press(undefined, { injury_month: '05', injury_year: '2026' });
  const leadId = leadIdOf(browser);
  await browser.get('/survey-sl?s1=other');
  await browser.press(['accident_type', 'Truck Accident']);
  expect(browser.step).toBe('AtFault');
  expect(leadIdOf(browser)).toBe(leadId);
});
