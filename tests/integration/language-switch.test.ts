/** The language switch without scripts (docs/specification.md#language-switch): one person, one lead. */
import { expect, test } from 'vitest';
import { builtSiteForTests } from '../support/built-site.ts';
import { PlainBrowser } from '../support/plain-browser.ts';

const site = builtSiteForTests(() => ({}));
const link = (browser: PlainBrowser) =>
  /href="([^"]*)"[^>]* id="other-language"/.exec(browser.html)?.[1] ?? '';

const pairs = [
  ['/survey/v4nv', '/survey/v4nv-es'],
  ['/survey/vw', '/survey/es'],
] as const;

/** Answers the survey up to the question after the accident's date. */
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

async function visitsOf(browser: PlainBrowser) {
  const ids = [...browser.cookies.values()].map(({ value }) => value.split('.')[0]);
  const { rows } = await site.database.pool.query<{ lead_id: string; survey: string }>(
    'select lead_id, survey from visits where lead_id = any($1::uuid[])',
    [ids],
  );
  return rows;
}

test.each(pairs)('from %s to %s keeps the question, the answers and the lead', async (from, to) => {
  const browser = await browserAtQuestion(from);
  const { step } = browser;
  const [before] = await visitsOf(browser);
  await browser.get(link(browser));
  expect(new URL(browser.url).pathname).toBe(`${to}/continue`);
  expect(browser.step).toBe(step);
  await browser.press(['go', 'back']);
  expect(browser.value('injury_month')).toBe('05');
  expect(await visitsOf(browser)).toEqual([{ lead_id: before?.lead_id, survey: to }]);
  expect([...browser.cookies.keys()].filter((name) => name.includes('visit_'))).toHaveLength(1);
});

test('a page in the previous language continues the same visit', async () => {
  const browser = await browserAtQuestion('/survey/v4nv');
  const [before] = await visitsOf(browser);
  const english = browser.url;
  await browser.get(link(browser));
  await browser.press(['go', 'back']);
  await browser.get(english);
  await browser.press(['at_Fault', 'no']);
  expect(new URL(browser.url).pathname).toBe('/survey/v4nv/continue');
  expect(browser.step).toBe('WasUserInjured');
  expect(await visitsOf(browser)).toEqual([{ lead_id: before?.lead_id, survey: '/survey/v4nv' }]);
});

test('the first page in the other language resumes the visit', async () => {
  const browser = await browserAtQuestion('/survey/v4nv');
  const { step } = browser;
  const [before] = await visitsOf(browser);
  await browser.get(`${site.server.url}/survey/v4nv-es`);
  await browser.press(['accident_type', 'Car Accident']);
  expect(browser.step).toBe(step);
  expect(await visitsOf(browser)).toEqual([
    { lead_id: before?.lead_id, survey: '/survey/v4nv-es' },
  ]);
});

test('starting over after the switch begins a new visit', async () => {
  const browser = await browserAtQuestion('/survey/v4nv');
  await browser.get(link(browser));
  await browser.post([
    ['step', browser.step ?? ''],
    ['go', 'over'],
  ]);
  expect(new URL(browser.url).pathname).toBe('/survey/v4nv-es');
  expect([...browser.cookies.keys()].filter((name) => name.includes('visit_'))).toEqual([]);
});

test('without a visit the switch leads to the first question', async () => {
  const answer = await fetch(`${site.server.url}/survey/v4nv-es/continue?switch=1`, {
    redirect: 'manual',
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/survey/v4nv-es']);
});
