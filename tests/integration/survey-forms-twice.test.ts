/** A one-page form sent twice makes one lead (docs/specification.md#without-javascript). */
import { expect, test } from 'vitest';
import { builtSiteForTests } from '../support/built-site.ts';
import { PlainBrowser } from '../support/plain-browser.ts';

const site = builtSiteForTests(() => ({ PUBLIC_URL: 'https://claims.example.com' }));

const typed = {
  accident_type: 'Car Accident',
  injury_year: '2026',
  case_description: 'A car ran a red light and hit mine from the side, and my back hurts since.',
  first_name: 'Maria',
  last_name: 'Sandoval',
  email: 'maria@mail.example',
  zip_code: '10001',
  phone: '(212) 555-0123',
};

/** Sends the form on the first page, after a visit whose browser went back to it. */
async function backOnFirstPage(): Promise<{ browser: PlainBrowser; post: () => Promise<unknown> }> {
  const browser = new PlainBrowser();
  const url = `${site.server.url}/form?s1=abc`;
  await browser.get(url);
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
  const fields = browser
    .fields()
    .map(([name, value]): [string, string] => [
      name,
      { ...typed, injury_type }[name as 'email'] ?? value,
    ]);
  return {
    browser,
    post: () => {
      browser.url = url;
      return browser.post(fields);
    },
  };
}

async function leads(): Promise<{ id: string; revision: number }[]> {
  const { pool } = site.database;
  const { rows } = await pool.query('select id, revision from leads');
  return rows;
}

test('the first page’s form sent twice at once, and again: one lead, and the same thank-you page', async () => {
  const { browser, post } = await backOnFirstPage();
  await Promise.all([post(), post()]);
  expect(new URL(browser.url).pathname).toBe('/survey-thank-you/');
  expect(await leads()).toMatchObject([{ revision: 1 }]);
  const { url } = browser;
  await post();
  expect(browser.url).toBe(url);
  expect(await leads()).toMatchObject([{ revision: 1 }]);
});

test('two browsers with an unfinished first form get separate visits', async () => {
  const [one, other] = [new PlainBrowser(), new PlainBrowser()];
  for (const browser of [one, other]) {
    await browser.get(`${site.server.url}/form?s1=abc`);
    await browser.press();
    expect(browser.text('#error-phone')).toBeTruthy();
  }
  const [mine, theirs] = [one, other].map(({ cookies }) => [...cookies.values()][0]?.value);
  expect(mine).not.toBe(theirs);
});

test('a finished visit leads to its thank-you page, even if its state was lost', async () => {
  const { browser, post } = await backOnFirstPage();
  await post();
  const { url } = browser;
  expect(new URL(url).pathname).toBe('/survey-thank-you/');
  await browser.get('/form/continue?step=OnePageForm');
  expect(browser.url).toBe(url);
  await site.database.pool.query("update visits set form = form - 'sentTo'");
  await browser.get('/form/continue');
  expect(browser.last?.url).toBe(`${site.server.url}/survey-thank-you/#sent`);
});
