import { expect, test } from 'vitest';
import { builtPages } from '../../src/server/main.ts';
import { PlainBrowser } from '../support/plain-browser.ts';
import { serverForTests } from '../support/server.ts';

const site = serverForTests(
  () => ({}),
  (settings) => {
    const pages = builtPages(settings);
    if (!pages) throw new Error('The pages are not built: node scripts/build.ts');
    return pages;
  },
);

test('walks', async () => {
  const browser = new PlainBrowser();
  await browser.get(`${site.server.url}/survey/v4nv?s1=abc&gclid=x`);
  console.log(browser.step, browser.fields());
  await browser.press(['accident_type', 'Car Accident']);
  console.log(browser.last?.status, browser.url, browser.step, browser.fields(), [
    ...browser.cookies,
  ]);
  await browser.press(undefined, { injury_month: '05', injury_year: '2026' });
  console.log(browser.last?.status, browser.url, browser.step, browser.visited);
  expect(browser.step).toBe('AtFault');
});
