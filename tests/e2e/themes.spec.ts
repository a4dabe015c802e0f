import { expect, type Page } from '@playwright/test';
import { demoSite } from '../../scripts/demo-site.ts';
import { themeNames } from '../../src/domain/look.ts';
import { stepOf } from '../../src/flows/engine/flow.ts';
import { flowOf } from '../../src/flows/surveys.ts';
import { previewSteps, screenAddress } from '../../src/site/preview.ts';
import { pageIds, siteMap } from '../../src/site/site-map.ts';
import { allClothes, examineInClothes } from './support/clothes.ts';
import { test } from './support/journeys.ts';
import { testSurveys } from './support/survey-table.ts';
import { desktop } from './support/windows.ts';

/** A page to examine: its address, and what to do there first. */
type Seen = { readonly path: string; readonly first?: (page: Page) => Promise<void> };

/** The survey's screens: the first of each kind of step and of each flow's own form. */
async function screens(): Promise<readonly Seen[]> {
  const locals = demoSite(testSurveys);
  const kinds = new Map<string, Seen>();
  for (const survey of testSurveys) {
    const flow = await flowOf(survey);
    for (const [index, name] of (await previewSteps(survey, locals)).entries()) {
      const { kind, ends } = stepOf(flow, name);
      const screen = `${kind} ${ends === true}`;
      if (!kinds.has(screen)) kinds.set(screen, { path: screenAddress(survey.path, index) });
    }
  }
  return [...kinds.values()];
}

const pages: readonly Seen[] = [
  ...pageIds.flatMap((id) => Object.values(siteMap[id].paths)).map((path) => ({ path })),
  ...['/survey/v4nv', '/preview/screen/', '/nothing-here'].map((path) => ({ path })),
  ...['/survey-thank-you/?q=y', '/survey-thank-you/?q=n&state=TX'].map((path) => ({ path })),
  {
    path: '/contact/',
    first: async (page) => {
      await page.locator('.contact-form button[type=submit]').click();
      await expect(page.locator('.field--error').first()).toBeVisible();
    },
  },
  ...(await screens()),
];

// The pages' policy would block the test's styles.
test.use({ ...desktop, bypassCSP: true });

async function open(page: Page, { path, first }: Seen): Promise<void> {
  await page.goto(path);
  await first?.(page);
}

/** Every third page, including the contact form with its errors. */
const ofEachKind = pages.filter((_, index) => index % 3 === 1);

const worn = ofEachKind.map((page, index) => {
  const theme = themeNames[index % themeNames.length];
  return { page, clothes: allClothes.filter((each) => each.theme === theme) };
});
const pagesPerTest = 7;

for (let first = 0; first < worn.length; first += pagesPerTest) {
  test(`themes from ${first + 1}, each on a page of its own, light and dark: no violation`, async ({
    page,
  }) => {
    test.slow();
    expect(worn.length).toBeGreaterThanOrEqual(themeNames.length);
    for (const { page: each, clothes } of worn.slice(first, first + pagesPerTest)) {
      await open(page, each);
      expect(await examineInClothes(page, clothes), each.path).toEqual([]);
    }
  });
}

for (const [index, each] of pages.entries()) {
  test(`@themes ${index} ${each.path}: no violation in any theme, light and dark`, async ({
    page,
  }) => {
    test.slow();
    await open(page, each);
    expect(await examineInClothes(page, allClothes)).toEqual([]);
  });
}
