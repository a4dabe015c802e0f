/** Tests a visit without JavaScript (docs/specification.md#without-javascript). */
import { expect, test } from 'vitest';
import { publishedConsents } from '../../content/consent/index.ts';
import { consentDigest } from '../../src/model/lead/consent.ts';
import { erase } from '../../src/server/privacy/erase.ts';
import { builtSiteForTests } from '../support/built-site.ts';
import { people } from '../support/person-keys.ts';
import { PlainBrowser } from '../support/plain-browser.ts';
import { person, shortFormAt } from '../support/plain-walk.ts';
import { freshProgress } from '../support/server.ts';

const site = builtSiteForTests(() => ({
  PUBLIC_URL: 'https://claims.example.com',
  EXPERIMENTS: JSON.stringify({
    theme: { surveys: ['/survey/v4nv'], weights: { plain: 0, harbor: 1, paper: 1 } },
  }),
}));

const { phone, zip_code, ...nameAndEmail } = person;
const browserAt = (step: string) => shortFormAt(site.server.url, step);

let phones = 0;
function unusedPhone(): string {
  phones += 1;
  return `(212) 555-${7_000 + phones}`;
}

test('the cookie of a visit is hidden from scripts', async () => {
  const browser = new PlainBrowser();
  await browser.get(`${site.server.url}/survey-sl?s1=abc&email=maria@mail.example`);
  const answer = await fetch(`${site.server.url}/survey-sl?s1=abc`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'step=StartPath&accident_type=Car+Accident',
  });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-visit_survey-sl=[0-9a-f-]{36}\.[0-9a-f]{32}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
  await browser.press(['accident_type', 'Car Accident']);
  expect(browser.url).toBe(`${site.server.url}/survey-sl/continue?step=WhenWasTheAccident`);
  const headers = browser.last?.headers;
  expect(headers?.get('cache-control')).toBe('no-store, private');
  expect(headers?.get('vary')).toContain('cookie');
  expect(headers?.get('etag')).toBeNull();
  expect(headers?.get('x-robots-tag')).toContain('noindex');
  expect(headers?.get('content-security-policy')).toContain("form-action 'self'");
  expect(browser.html).not.toContain('<template');
});

test('a step with invalid contact fields is shown again with an error for each field', async () => {
  const browser = await browserAt('NameAndEmail');
  const blocked = 'maria@mailinator.com';
  await browser.press(undefined, { first_name: 'Maria', last_name: '', email: 'maria@' });
  expect(browser.text('#error-last_name')).toBeTruthy();
  expect(browser.text('#error-email')).toBeTruthy();
  expect(browser.value('first_name')).toBe('Maria');
  expect(browser.url).toContain('/continue?step=NameAndEmail');
  const wrong = { ...nameAndEmail, email: blocked };
  const before = browser.fields(wrong);
  await browser.press(undefined, wrong);
  expect(browser.text('#error-email')).toBeTruthy();
  await browser.post(before);
  expect(browser.step).toBe('NameAndEmail');
  expect(browser.text('#error-email')).toBeTruthy();
  await browser.press(undefined, wrong);
  expect(browser.step).toBe('PhoneAndZip');

  await browser.press(undefined, { phone: '123', zip_code: '00000' });
  expect(browser.text('#error-phone')).toBeTruthy();
  expect(browser.text('#error-zip_code')).toBeTruthy();
  expect(browser.text('#tcpa')).toContain('Your Claim Guide');
  await browser.press(undefined, { phone, zip_code });
  expect(new URL(browser.url).pathname).toBe('/survey-thank-you/');
  const { last, lead, progress } = await site.leadOf(browser.leadId);
  expect(lead).toMatchObject({ state: 'accepted', revision: 1 });
  expect(
    progress.flatMap(({ step, refused }) => (refused ? [[step, refused.split(',').sort()]] : [])),
  ).toEqual([
    ['NameAndEmail', ['email', 'last_name']],
    ['NameAndEmail', ['email']],
    ['NameAndEmail', ['email']],
    ['PhoneAndZip', ['phone', 'zip_code']],
  ]);
  expect(last?.fields).toMatchObject({ email: blocked, phone: '2125550123', zip_code: '10001' });
  expect(last?.fields).not.toHaveProperty('came_by');
  expect(last?.body).toMatchObject({
    came_by: 'form',
    consent_version: expect.stringMatching(/^\d/),
  });
});

test('the consent text of a stored lead is the text that the visitor saw', async () => {
  const older = publishedConsents(['Your Claim Guide']).find(
    ({ version, kind, language }) =>
      version === '2026-11-20' && kind === 'general' && language === 'en',
  );
  const withConsent = async (digest: string) => {
    const browser = await browserAt('PhoneAndZip');
    const sent = { phone: unusedPhone(), zip_code, consent: digest };
    await browser.press(undefined, sent);
    return site.leadOf(browser.leadId);
  };
  if (!older) throw new Error('no older text');
  const kept = await withConsent(consentDigest(older));
  expect(kept.lead).toMatchObject({ state: 'accepted' });
  expect(kept.last?.body).toMatchObject({
    consent_version: '2026-11-20',
    tcpa: older.text.replaceAll('\n', ' '),
  });
  const held = await withConsent('anything-of-mine');
  expect(held.lead).toMatchObject({ state: 'held' });
  expect(held.last?.problems).toContainEqual({ problem: 'missing_consent', field: 'tcpa' });
});

test('a step shows the typed values when the visitor goes back to the step', async () => {
  const browser = await browserAt('WasUserInjured');
  await browser.get(browser.url);
  expect(browser.step).toBe('WasUserInjured');
  await browser.press(['go', 'back']);
  expect(browser.step).toBe('AtFault');
  const pressed = browser.all('button').find(({ attributes }) => attributes['aria-pressed']);
  expect(pressed?.attributes).toMatchObject({ name: 'at_Fault', value: 'no' });
  await browser.press(['go', 'back']);
  await browser.press(undefined, { injury_year: '2025' });
  await browser.press(['at_Fault', 'no']);
  await browser.press(['physical_injury', 'Yes']);
  await browser.press(['go', 'back'], { first_name: 'Mar' });
  await browser.press(['physical_injury', 'Yes']);
  expect(browser.value('first_name')).toBe('Mar');
  await browser.press(undefined, nameAndEmail);
  await browser.press(undefined, { phone, zip_code });
  const { last } = await site.leadOf(browser.leadId);
  expect(last?.body).toMatchObject({ at_Fault: 'no', injury_year: '2025' });
});

test('a survey that begins on the home page stores the ad click’s parameters from the home page’s URL', async () => {
  for (const [home, survey] of [
    ['/', '/survey/v4nv'],
    ['/es/', '/survey/v4nv-es'],
  ] as const) {
    const browser = new PlainBrowser();
    const query = '?s1=home&gclid=g-1&sub2=two&email=maria@mail.example';
    await browser.get(site.server.url + home + query);
    await browser.press(['accident_type', 'Truck Accident']);
    expect(browser.url).toBe(`${site.server.url}${survey}/continue?step=WhenWasTheAccident`);
    expect(browser.step).toBe('WhenWasTheAccident');
    // The server chooses a theme at random when the visitor gives the first answer.
    const theme = /<html[^>]* data-theme="(\w+)"/.exec(browser.html)?.[1];
    expect(browser.cookies.get('__Host-variants')?.value).toBe(
      survey === '/survey/v4nv' ? `theme.${theme}` : undefined,
    );
    const { visit, clicks } = await site.leadOf(browser.leadId);
    expect(visit).toMatchObject({ survey });
    expect(visit?.form).toMatchObject({
      search: '?s1=home&gclid=g-1&sub2=two',
      state: { given: { StartPath: { accident_type: 'Truck Accident' } } },
      visit: { tracking: { sub_id: 'home', sub_id2: 'two', gclid: 'g-1' } },
    });
    expect(clicks).toHaveLength(1);
    expect(clicks[0]).toMatchObject({
      landing_page: `${site.server.url}${home}`,
      params: { s1: 'home', gclid: 'g-1', sub2: 'two' },
    });
  }
});

test('a request without the visit’s secret cannot change the visit', async () => {
  const browser = await browserAt('NameAndEmail');
  const name = [...browser.cookies.keys()].find((each) => each.includes('visit_')) ?? '';
  const before = await site.everythingOf(browser.leadId);
  const forged = new PlainBrowser();
  forged.cookies.set(name, { value: `${browser.leadId}.${'0'.repeat(32)}`, path: '/' });
  for (const other of [forged, new PlainBrowser()]) {
    const shown = await other.get(`${site.server.url}/survey-sl/continue?step=NameAndEmail`);
    expect(shown.status).toBe(404);
    expect(other.html).toContain('data-form-problem="no_visit"');
    expect(other.html).not.toContain('survey-visit');
    await other.post(Object.entries({ step: 'NameAndEmail', ...nameAndEmail }));
    expect(other.last?.status).toBe(404);
  }
  expect(await site.everythingOf(browser.leadId)).toEqual(before);
});

test('the last form of an erased visit creates no lead', async () => {
  const browser = await browserAt('PhoneAndZip');
  const { leadId } = browser;
  await erase(people(site.database.pool), nameAndEmail.email, 'tester');
  await browser.press(undefined, { phone, zip_code });
  expect(browser.last?.status).toBe(404);
  expect((await site.leadOf(leadId)).lead).toBeUndefined();
});

test('a form that is posted from another site is refused', async () => {
  const browser = await browserAt('AtFault');
  const headers = { 'sec-fetch-site': 'cross-site' };
  const answer = await browser.press(['at_Fault', 'yes'], {}, { headers });
  expect(answer.status).toBe(403);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(browser.html).toContain('data-form-problem="foreign_page"');
  await browser.get(`${site.server.url}/survey-sl/continue?step=PhoneAndZip`);
  expect(browser.step).toBe('AtFault');
  await browser.post(Object.entries({ step: 'PhoneAndZip', phone, zip_code }));
  expect(browser.step).toBe('AtFault');
  await browser.post(Object.entries({ step: '__proto__', go: 'back' }));
  expect(browser.step).toBe('AtFault');
  const { lead, visit } = await site.leadOf(browser.leadId);
  expect(lead).toBeUndefined();
  expect(JSON.stringify(visit?.form)).not.toContain('10001');
});

test('a visit that began with JavaScript can continue without JavaScript', async () => {
  const leadId = '0197a000-0000-7000-8000-0000000000aa';
  const secret = 'c'.repeat(32);
  const { session, data } = freshProgress(leadId, {
    survey: '/survey-sl',
    click_id: 'd'.repeat(32),
    params: { s1: 'abc', traffic_source_pool: 'google' },
  });
  const answers = { accident_type: 'Other' };
  const entries = [
    { kind: 'viewed', step: 'StartPath', answers: {} },
    { kind: 'answered', step: 'StartPath', answers, seconds: 3 },
    { kind: 'viewed', step: 'WhenWasTheAccident', answers: {} },
  ].map((entry, index) => ({ ...entry, seq: index + 1, at: data[0]?.at }));
  const headers = { 'user-agent': 'PlainBrowser/1.0' };
  const saved = await site.post('/api/save-data', { session, data: entries }, secret, headers);
  const [line = ''] = saved.headers.getSetCookie();
  expect(line).toContain(`__Host-visit_survey-sl=${leadId}.${secret}; `);
  expect(line).toContain('HttpOnly');
  const browser = new PlainBrowser();
  await browser.get(`${site.server.url}/survey-sl?s1=abc`);
  browser.cookies.set('__Host-visit_survey-sl', { value: `${leadId}.${secret}`, path: '/' });
  await browser.post(
    Object.entries({ step: 'WhenWasTheAccident', injury_month: '05', injury_year: '2026' }),
  );
  expect(browser.step).toBe('AtFault');
  const [, json = ''] = /id="survey-visit">([^<]*)</.exec(browser.html) ?? [];
  const { visit, state, seq } = JSON.parse(json);
  expect(visit).toMatchObject({
    secret,
    session: { lead_id: leadId, referer: 'https://ads.example.net/' },
  });
  expect(state.given).toMatchObject({ StartPath: { accident_type: 'Other' } });
  expect(seq).toBeGreaterThan(3);
  await browser.press(['at_Fault', 'no']);
  await browser.press(['physical_injury', 'Yes']);
  await browser.press(undefined, nameAndEmail);
  await browser.press(undefined, { phone, zip_code });
  const { lead, last, clicks } = await site.leadOf(leadId);
  expect(lead).toMatchObject({ state: 'accepted', revision: 1 });
  expect(last?.body).toMatchObject({
    came_by: 'form and script',
    accident_type: 'Other',
    ef_transaction_id: 'd'.repeat(32),
    page_referer: 'https://ads.example.net/',
    time_on_steps: expect.stringMatching(/^WhenWasTheAccident:/),
  });
  expect(clicks).toHaveLength(1);
});
