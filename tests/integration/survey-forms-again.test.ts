/**
 * Tests forms that a browser without scripts posts again. One person must have only one visit and
 * one lead.
 */
import { expect, test } from 'vitest';
import { builtSiteForTests } from '../support/built-site.ts';
import { PlainBrowser } from '../support/plain-browser.ts';
import { person, shortFormAt } from '../support/plain-walk.ts';

const site = builtSiteForTests(() => ({ TRUSTED_PROXIES: 'loopback' }));
const { phone, zip_code, ...nameAndEmail } = person;
const browserAt = (step: string) => shortFormAt(site.server.url, step);

test('posting the one-page form three times creates one lead', async () => {
  const typed = {
    ...person,
    accident_type: 'Car Accident',
    injury_year: '2026',
    case_description: 'A car ran a red light and hit mine from the side, and my back hurts since.',
  };
  const browser = new PlainBrowser();
  const first = `${site.server.url}/form?s1=abc`;
  await browser.get(first);
  for (const button of [
    ['at_Fault', 'no'],
    ['physical_injury', 'Yes'],
    ['police_report', 'yes'],
    ['with_Lawyer', 'no'],
  ] as const) {
    await browser.press(button);
  }
  const kinds = browser.all('option').map(({ attributes }) => attributes.value ?? '');
  const injury_type = kinds.find((each) => each.startsWith('Back')) ?? '';
  const fields = browser.fields({ ...typed, injury_type });
  // Posts the form of the first page, as a visitor does after going back to this page.
  const post = () => {
    browser.url = first;
    return browser.post(fields);
  };
  const leads = async () => (await site.database.pool.query('select revision from leads')).rows;
  await Promise.all([post(), post()]);
  const { url } = browser;
  expect(new URL(url).pathname).toBe('/survey-thank-you/');
  expect(await leads()).toEqual([{ revision: 1 }]);
  await post();
  expect(browser.url).toBe(url);
  expect(await leads()).toEqual([{ revision: 1 }]);
});

test('answers from two tabs of the same visit create one lead', async () => {
  const browser = await browserAt('PhoneAndZip');
  const old = `${site.server.url}/survey-sl/continue?step=AtFault`;
  const send = browser.fields({ phone, zip_code });
  const lastUrl = browser.url;
  await browser.get(old);
  await browser.press(['at_Fault', 'yes']);
  expect(browser.step).toBe('WasUserInjured');
  await browser.get(lastUrl);
  await Promise.all([browser.post(send), browser.post(send)]);
  const address = browser.url;
  expect(new URL(address).pathname).toBe('/survey-thank-you/');
  browser.url = lastUrl;
  await browser.post(send);
  expect(browser.url).toBe(address);
  const { lead, deliveries, last: revision } = await site.leadOf(browser.leadId);
  expect(lead).toMatchObject({ revision: 1 });
  expect(deliveries).toHaveLength(1);
  expect(revision?.body).toMatchObject({ at_Fault: 'yes' });
  await browser.get(lastUrl);
  expect(new URL(browser.url).pathname).toBe('/survey-thank-you/');
  await browser.get(`${site.server.url}/survey-sl`);
  await browser.press(['accident_type', 'Other']);
  expect(browser.leadId).not.toBe(lead?.id);
});

test('a visitor who returns through another ad continues the visit at the same step', async () => {
  const browser = await browserAt('NameAndEmail');
  const { leadId } = browser;
  await browser.get(`${site.server.url}/survey-sl?s1=other`);
  await browser.press(['accident_type', 'Truck Accident']);
  expect(browser.step).toBe('NameAndEmail');
  expect(browser.leadId).toBe(leadId);
  await browser.press(undefined, nameAndEmail);
  await browser.press(undefined, { phone: '(212) 555-7001', zip_code });
  const { last } = await site.leadOf(leadId);
  expect(last?.fields).toMatchObject({ sub_id: 'other' });
  expect(last?.body).toMatchObject({
    accident_type: 'Truck Accident',
    at_Fault: 'no',
    physical_injury: 'Yes',
    ...nameAndEmail,
  });

  const other = await browserAt('WasUserInjured');
  await other.get(`${site.server.url}/survey-sl?s1=abc`);
  await other.press(['accident_type', 'Car Accident']);
  await other.press(['go', 'over']);
  expect(other.url).toBe(`${site.server.url}/survey-sl?s1=abc`);
  // The server has deleted the visit's cookie, but not the ad click's cookie.
  expect([...other.cookies.keys()]).toEqual(['site-click']);
});

const COOKIE = 'visit_survey-sl';

/** Returns a browser with this IP address, on the first page of the short form. */
async function browserFrom(address: string, userAgent = 'PlainBrowser/1.0') {
  const headers = { 'x-forwarded-for': address, 'user-agent': userAgent };
  const browser = new PlainBrowser(headers);
  await browser.get(`${site.server.url}/survey-sl?s1=abc`);
  return browser;
}

test('a cookie from another browser does not give access to that browser’s visit', async () => {
  const thief = await browserFrom('203.0.113.66');
  await thief.press(['accident_type', 'Car Accident']);
  const planted = thief.cookies.get(COOKIE) ?? { value: '', path: '/' };
  const before = await site.everythingOf(thief.leadId);

  for (const [address, userAgent] of [
    ['203.0.113.7', undefined],
    ['203.0.113.66', 'AnotherBrowser/1.0'],
  ] as const) {
    const victim = await browserFrom(address, userAgent);
    victim.cookies.set(COOKIE, planted);
    const own = `${site.server.url}/survey-sl/continue?step=WhenWasTheAccident`;
    expect((await victim.get(own)).status).toBe(404);
    await victim.post([['step', 'WhenWasTheAccident']]);
    expect(victim.last?.status).toBe(404);
    await victim.get(`${site.server.url}/survey-sl?s1=abc`);
    await victim.press(['accident_type', 'Truck Accident']);
    expect(victim.step).toBe('WhenWasTheAccident');
    expect(victim.leadId).not.toBe(thief.leadId);
    expect((await site.leadOf(victim.leadId)).visit?.form).toMatchObject({
      state: { given: { StartPath: { accident_type: 'Truck Accident' } } },
    });
  }
  expect(await site.everythingOf(thief.leadId)).toEqual(before);
});

const link = (browser: PlainBrowser) =>
  /href="([^"]*)"[^>]* id="other-language"/.exec(browser.html)?.[1] ?? '';

/** Answers the first questions of the survey at `path`. */
async function browserAtQuestion(path: string): Promise<PlainBrowser> {
  const browser = new PlainBrowser();
  await browser.get(`${site.server.url}${path}?s1=abc`);
  for (let tries = 0; tries < 5 && browser.step !== 'WhenWasTheAccident'; tries += 1) {
    const [first] = browser.all('button').filter(({ attributes }) => attributes.value);
    await browser.press(first && [first.attributes.name ?? '', first.attributes.value ?? '']);
  }
  const year = String(new Date().getFullYear() - 1);
  await browser.press(undefined, { injury_month: '05', injury_year: year });
  return browser;
}

const visitCookies = (browser: PlainBrowser) =>
  [...browser.cookies].filter(([name]) => name.includes('visit_'));

/** Maps the lead id of each visit in the browser's cookies to the visit's survey. */
async function visitsOf(browser: PlainBrowser): Promise<Record<string, string>> {
  const ids = visitCookies(browser).map(([, { value }]) => value.split('.')[0]);
  const { rows } = await site.database.pool.query<{ lead_id: string; survey: string }>(
    'select lead_id, survey from visits where lead_id = any($1::uuid[])',
    [ids],
  );
  return Object.fromEntries(rows.map(({ lead_id, survey }) => [lead_id, survey]));
}

test.each([
  ['/survey/v4nv', '/survey/v4nv-es'],
  ['/survey/vw', '/survey/es'],
])(
  'a visitor who switches the language at %s and back continues at the same question',
  async (from, to) => {
    const browser = await browserAtQuestion(from);
    const { step, leadId, url } = browser;
    await browser.get(link(browser));
    expect(new URL(browser.url).pathname).toBe(`${to}/continue`);
    expect(browser.step).toBe(step);
    await browser.press(['go', 'back']);
    expect(browser.value('injury_month')).toBe('05');
    expect(await visitsOf(browser)).toEqual({ [leadId]: to });
    expect(visitCookies(browser)).toHaveLength(1);
    await browser.get(url);
    await browser.press(['go', 'back']);
    expect(new URL(browser.url).pathname).toBe(`${from}/continue`);
    expect(await visitsOf(browser)).toEqual({ [leadId]: from });
  },
);

test('a visitor whose zip code was refused twice can choose a US state instead', async () => {
  const browser = await browserAt('PhoneAndZip');
  const typed = { phone, zip_code: '00601' };
  const asksState = () =>
    browser.all('select').some(({ attributes }) => attributes.name === 'state_choice');
  await browser.press(undefined, typed);
  expect([browser.text('#error-zip_code'), asksState()]).toEqual([expect.any(String), false]);
  await browser.press(undefined, typed);
  await browser.press(undefined, { ...typed, state_choice: '' });
  expect([browser.step, asksState()]).toEqual(['PhoneAndZip', true]);
  await browser.press(undefined, { ...typed, state_choice: 'NE' });
  const { last } = await site.leadOf(browser.leadId);
  expect(last?.fields).toMatchObject({ zip_code: '00601', state: 'NE', state_long: 'Nebraska' });
  expect(last?.body).toMatchObject({ state_choice: 'NE' });
  expect(last?.problems).toMatchObject([{ field: 'zip_code', reason: 'unknown_zip' }]);
});

test.each([
  ['of the lead’s state', { zip_code: '80202' }, '#state-CO'],
  ['of the accident’s state', { zip_code: '10001', state_accident_occurred: 'CO' }, '#state-CO'],
  ['for sold leads', { zip_code: '10001' }, '#sent'],
])(
  'a visit whose lead was posted by the script ends on the page %s',
  async (_, given, fragment) => {
    const browser = await browserAt('PhoneAndZip');
    const proof = browser.cookies.get(COOKIE)?.value ?? '';
    const [lead_id = '', secret = ''] = proof.split('.');
    const answer = await fetch(`${site.server.url}/post-lead`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-lead-secret': secret },
      body: JSON.stringify({ lead_id, survey: '/survey-sl', ...given }),
    });
    expect(answer.status).toBe(200);
    const again = await fetch(browser.url, {
      redirect: 'manual',
      headers: { ...browser.headers, cookie: `${COOKIE}=${proof}` },
    });
    expect(again.headers.get('location')).toBe(`/survey-thank-you/${fragment}`);
  },
);
