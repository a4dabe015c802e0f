import { expect } from '@playwright/test';
import { videos } from '../../content/videos.ts';
import { flowVersion } from '../../src/flows/engine/version.ts';
import { flowOf } from '../../src/flows/surveys.ts';
import { pageIds, siteMap, surveyPaths } from '../../src/site/site-map.ts';
import { textsFor } from '../../src/survey/texts/texts.ts';
import { test } from './support/journeys.ts';
import { measure } from './support/measure.ts';
import { collectErrors, examine } from './support/page-errors.ts';
import { expectStep } from './support/survey-page.ts';
import { testSurveys } from './support/survey-table.ts';
import { desktop, phone } from './support/windows.ts';

test.use(desktop);

const smallPhone = { width: 360, height: 740 };

/** Escapes a text as HTML does. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');
}

test('every survey: the first question is in the HTML, in its language, at one address', async ({
  request,
}) => {
  for (const survey of testSurveys) {
    const { path } = survey;
    const flow = await flowOf(survey);
    const html = await (await request.get(path)).text();
    expect(html, path).toContain(`<html lang="${survey.language}"`);
    expect(html, path).toContain(`data-step="${flow.start}"`);
    const question = textsFor(survey.language, flow).steps[flow.start]?.question ?? '';
    expect(question, path).not.toBe('');
    expect(html, path).toContain(escaped(question));
    const data = /id="survey-data">([^<]*)</.exec(html)?.[1] ?? '{}';
    // The page's bundle contains the same flow as the server's.
    expect(JSON.parse(data).flowVersion, path).toBe(flowVersion(flow));
    const head = await request.head(path);
    expect([head.status(), head.headers()['content-type']], path).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    const slash = await request.get(`${path}/?s1=abc&gclid=x`, { maxRedirects: 0 });
    expect([slash.status(), slash.headers().location], path).toEqual([
      308,
      `${path}?s1=abc&gclid=x`,
    ]);
  }
});

test.describe('without a script', () => {
  test.use({ ...phone, javaScriptEnabled: false });

  test('a form that is sent puts no name or number into an address', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/form');
    await page.locator('[name="first_name"]').fill('Maria');
    await page.locator('[name="phone"]').fill('2125550123');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/form/continue?**');
    await expect(page.locator('[name="first_name"]')).toHaveValue('Maria');
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.filter((url) => /Maria|212|555/i.test(url.slice(url.indexOf('/', 8))))).toEqual(
      [],
    );
  });

  test('the menus still open, and the first question can be answered', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByText('Car Accident Laws', { exact: true }).first().click();
    await page.getByRole('link', { name: 'California' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Car accident law in California',
    );
    await page.goto('/');
    await page.locator('.first-answers').getByText('Motorcycle').click();
    await expect(page).toHaveURL(`${surveyPaths.en}/continue?step=WhenWasTheAccident`);
    await expectStep(page, 'WhenWasTheAccident');
  });
});

const sitePaths = pageIds.flatMap((id) => Object.values(siteMap[id].paths));
/** Pages whose phone layout differs; the others consist of the same parts. */
const differs = ['/', '/car-accident-lawsuits/settlements/', '/car-accident-laws/', '/contact/'];
const pagesPerTest = 12;

/** WCAG 2.2: 44 px, except links within a sentence. Half a pixel is rounding. */
const TARGET_PX = 43.5;

for (let first = 0; first < sitePaths.length; first += pagesPerTest) {
  const some = [
    ...sitePaths.slice(first, first + pagesPerTest),
    ...(first ? [] : ['/nothing-here']),
  ];
  const title = `${some[0]} and the next pages: no violation, no error; at 360 px, 400 % zoom and 200 % text nothing is wider than the window, and targets are large enough`;
  test(title, async ({ page }) => {
    test.slow();
    const errors = collectErrors(page);
    for (const path of some) {
      await page.setViewportSize(desktop.viewport);
      await page.goto(path);
      await examine(page, path);
      await page.setViewportSize(smallPhone);
      if (differs.includes(path)) await examine(page, `${path}, phone`);
      expect((await measure(page, 0)).wider, path).toBe(0);

      // 1280 × 1024 at 400 %.
      await page.setViewportSize({ width: 320, height: 256 });
      expect(await measure(page, TARGET_PX), `${path} at 400 %`).toEqual({ wider: 0, small: [] });

      await page.setViewportSize(smallPhone);
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
      expect((await measure(page, 0)).wider, `${path} at 200 % text`).toBe(0);
      const header = await page.locator('.site-header').boundingBox();
      expect(header?.height, path).toBeLessThanOrEqual(120);
      await expect(page.locator('.menu-toggle')).toBeInViewport({ ratio: 1 });
    }
    // The browser itself reports the missing page.
    expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  });
}

test('the narrow menu locks the page, and closes when the window widens', async ({ page }) => {
  await page.setViewportSize({ width: 1120, height: 800 });
  await page.goto('/');
  const menu = page.getByRole('navigation', { name: 'Main' });
  const overflow = () => page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(menu).toBeVisible();
  await expect.poll(overflow).toBe('hidden');
  await examine(page, 'the open menu');
  await menu.getByText('Car Accident Lawsuits').click();
  await expect(menu.getByRole('link', { name: 'Settlements' })).toBeVisible();
  await page.setViewportSize({ width: 1121, height: 800 });
  // The menu is back in the bar, and the page scrolls again.
  await expect.poll(() => menu.evaluate((nav) => nav.matches(':popover-open'))).toBe(false);
  await expect(menu).toBeVisible();
  await expect.poll(overflow).not.toBe('hidden');
});

test('a group of the wide menu opens by keyboard; Escape or moving on closes it', async ({
  page,
}) => {
  await page.goto('/');
  const group = page.locator('.menu-group').last();
  await group.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(group.getByRole('link', { name: 'Texas' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(group).not.toHaveAttribute('open');
  await expect(group.locator('summary')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.locator('.top-claim').focus();
  await expect(group).not.toHaveAttribute('open');
  await group.locator('summary').click();
  await page.locator('h1').click();
  await expect(group).not.toHaveAttribute('open');
});

test('an answer on the home page is accepted, and the survey’s script goes on from it', async ({
  page,
}) => {
  await page.goto('/?s1=home&gclid=g-1');
  const start = page.getByRole('link', { name: 'See if you may have a claim' });
  await expect(start).toHaveAttribute('href', /\/survey\/v4nv\?s1=home&gclid=g-1$/);
  const saved = page.waitForRequest((request) => request.url().endsWith('/api/save-data'));
  await page.locator('.first-answers').getByText('Motorcycle').click();
  await expectStep(page, 'WhenWasTheAccident');
  // From now on the page's script runs.
  expect((await saved).postDataJSON().session.params).toMatchObject({ s1: 'home', gclid: 'g-1' });
  const answered = page.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes('"injury_year":"2025"')),
  );
  await page.locator('[name="injury_month"]').selectOption('05');
  await page.locator('[name="injury_year"]').selectOption('2025');
  await page.locator('[data-step] button[type=submit]').click();
  await expectStep(page, 'AtFault');
  // The server has the answer, and the browser's history the step.
  await answered;
  // The script keeps the page and changes its address to the survey's, with the click.
  const address = new URL(page.url());
  expect(address.pathname).toBe(surveyPaths.en);
  expect(address.searchParams.get('s1')).toBe('home');
  // Back to the first answer. Another answer there resumes where the visit stopped.
  await page.goBack();
  await expectStep(page, 'WhenWasTheAccident');
  await page.goBack();
  await expect(page).toHaveURL('/?s1=home&gclid=g-1');
  await page.locator('.first-answers').getByText('Bicycle').click();
  await expectStep(page, 'AtFault');
});

test('any page sends what a survey left in the browser; a visitor without a survey loads nothing for it', async ({
  page,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const sends = () => loaded.filter((path) => /queue|resume/.test(path));
  await page.goto('/about-us/', { waitUntil: 'networkidle' });
  expect(sends()).toEqual([]);
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('survey');
        opening.onsuccess = () => resolve(opening.result.close());
        opening.onerror = reject;
      }),
  );
  await page.goto('/about-us/');
  await expect.poll(sends).not.toEqual([]);
});

test('a film loads nothing before it is tapped, then plays with its captions', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const ofFilms = () => loaded.filter((path) => path.startsWith('/videos/'));
  await page.goto('/video-gallery/', { waitUntil: 'networkidle' });
  expect(ofFilms()).toEqual([]);
  await page.getByRole('link', { name: /^Play/ }).click();
  const film = page.locator('video');
  await expect(film).toBeFocused();
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0);
  await expect
    .poll(() => film.evaluate((video: HTMLVideoElement) => video.textTracks[0]?.cues?.length))
    .toBe(videos[0]?.scenes.length);
  expect(ofFilms()).toContain('/videos/first-week.vtt');
  await examine(page, 'the film');
});
