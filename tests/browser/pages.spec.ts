import { expect, type Page } from '@playwright/test';
import { demoSite } from '../../scripts/demo-site.ts';
import { schemes, themeNames } from '../../src/model/fields/look.ts';
import { type Step, stepOf } from '../../src/model/flows/engine/flow.ts';
import { flowOf } from '../../src/model/flows/surveys.ts';
import { previewSteps, screenAddress } from '../../src/web/site/preview.ts';
import { pageIds, siteMap } from '../../src/web/site/site-map.ts';
import { textsFor } from '../../src/web/survey/texts/texts.ts';
import {
  collectErrors,
  desktop,
  examine,
  measure,
  TARGET_PX,
  violations,
} from './support/checks.ts';
import { testSurveys } from './support/survey-table.ts';
import { test } from './support/visits.ts';

test.use(desktop);

const smallPhone = { width: 360, height: 740 };
const sitePaths = pageIds.flatMap((id) => Object.values(siteMap[id].paths));
const thanks = [
  'q=y',
  'q=y#sent',
  'q=y#no-firm',
  'q=y#state-CO',
  'q=n&state=TX',
  'q=n&lang=es&state=TX#sent',
];
const thankYouPages = thanks.map((query) => `/survey-thank-you/?${query}`);

const kinds = [
  ...['/', '/es/', '/car-accident-lawsuits/settlements/', '/car-accident-laws/texas/', '/contact/'],
  ...['/do-not-sell-my-information/', '/sponsors/', '/nothing-here'],
  ...['/survey/v4nv', '/survey-thank-you/?q=y#sent', '/survey-thank-you/?q=n&state=TX'],
];

/**
 * Expects that a page is accessible and fits a desktop, a phone, 400 % zoom and double text size.
 */
async function expectFits(page: Page, path: string): Promise<void> {
  await page.setViewportSize(desktop.viewport);
  await page.goto('about:blank');
  await page.goto(path);
  await examine(page, path);
  await page.setViewportSize(smallPhone);
  expect(await measure(page, TARGET_PX), path).toEqual({ wider: 0, small: [] });
  await examine(page, `${path}, phone`);
  // At 400 % zoom, a window of 1280 × 1024 px has 320 × 256 CSS pixels.
  await page.setViewportSize({ width: 320, height: 256 });
  expect(await measure(page, TARGET_PX), `${path} at 400 %`).toEqual({ wider: 0, small: [] });
  await page.setViewportSize(smallPhone);
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  if (!path.startsWith('/survey'))
    expect((await measure(page)).wider, `${path} at 200 % text`).toBe(0);
}

test('a page of each kind is accessible', async ({ page }) => {
  const errors = collectErrors(page);
  for (const path of kinds) await expectFits(page, path);
  // The browser logs an error with "404" for the not-found page.
  expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
});

for (const path of [...sitePaths, ...thankYouPages].filter((each) => !kinds.includes(each))) {
  test(`the page ${path} is accessible @all`, async ({ page }) => {
    await expectFits(page, path);
  });
}

type Screen = { readonly path: string; readonly kind: string };

function shownOf({ next: _, stage: __, progress: ___, sets: ____, ...shown }: Step) {
  return shown;
}

async function allScreens(): Promise<readonly Screen[]> {
  const locals = demoSite(testSurveys);
  const found = new Map<string, Screen>();
  for (const survey of testSurveys) {
    const { language, path } = survey;
    const flow = await flowOf(survey);
    for (const [index, name] of (await previewSteps(survey, locals)).entries()) {
      const step = stepOf(flow, name);
      // Skips the step that shows law firms, because a preview fetches no law firms.
      if (step.optional?.includes('selected_buyers')) continue;
      const words = textsFor(language, flow).steps[name];
      const shown = JSON.stringify([language, flow.progress, words, shownOf(step)]);
      const kind = `${step.kind} ${step.ends === true}`;
      if (!found.has(shown)) found.set(shown, { path: screenAddress(path, index), kind });
    }
  }
  return [...found.values()];
}
const screens = await allScreens();
const screenKinds = [...new Map(screens.map((screen) => [screen.kind, screen])).values()];

test('one survey screen of each kind is accessible', async ({ page }) => {
  for (const [index, { path }] of screenKinds.entries()) {
    await page.setViewportSize(index % 2 === 0 ? smallPhone : desktop.viewport);
    await page.goto(path);
    await examine(page, path);
  }
});

test('every screen of the surveys is accessible @all', async ({ page }) => {
  test.slow();
  await page.setViewportSize(smallPhone);
  for (const { path } of screens) {
    await page.goto(path);
    await expect(page.locator('[data-step]')).toHaveCount(1);
    await examine(page, path);
  }
});

for (const theme of themeNames) {
  test(`every kind of survey screen is accessible in the theme ${theme} @all`, async ({ page }) => {
    /** The accessibility rules that a theme can break. */
    const rules = ['color-contrast', 'link-in-text-block', 'target-size'];
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const { path } of screenKinds) {
        await page.goto(`${path}&theme=${theme}`);
        expect(await violations(page, rules), `${path} ${scheme}`).toEqual([]);
      }
    }
  });
}

test('the menu of a narrow window closes when the window becomes wider', async ({ page }) => {
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
  await expect.poll(() => menu.evaluate((nav) => nav.matches(':popover-open'))).toBe(false);
  await expect(menu).toBeVisible();
  await expect.poll(overflow).not.toBe('hidden');
  const group = page.locator('.menu-group').last();
  await group.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(group.getByRole('link', { name: 'Texas' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(group).not.toHaveAttribute('open');
  await expect(group.locator('summary')).toBeFocused();
});
