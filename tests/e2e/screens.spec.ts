import { expect } from '@playwright/test';
import { demoSite } from '../../scripts/demo-site.ts';
import { type Step, stepOf } from '../../src/flows/engine/flow.ts';
import { flowOf } from '../../src/flows/surveys.ts';
import { previewSteps, screenAddress } from '../../src/site/preview.ts';
import { textsFor } from '../../src/survey/texts/texts.ts';
import { test } from './support/journeys.ts';
import { examine } from './support/page-errors.ts';
import { testSurveys } from './support/survey-table.ts';
import { desktop } from './support/windows.ts';

/**
 * Every screen of every survey has no accessibility violation. The preview renders a screen as its survey does
 * (src/site/pages/preview/screen.astro).
 */

/** A screen to examine: its address, and what distinguishes it. */
type Screen = { readonly path: string; readonly what: string; readonly kind: string };

async function screens(): Promise<readonly Screen[]> {
  const locals = demoSite(testSurveys);
  const found = new Map<string, Screen>();
  for (const survey of testSurveys) {
    const { language, path } = survey;
    const flow = await flowOf(survey);
    for (const [index, name] of (await previewSteps(survey, locals)).entries()) {
      const step = stepOf(flow, name);
      // The law firms are found on an earlier step: one-to-one.spec.ts.
      if (step.optional?.includes('selected_buyers')) continue;
      const words = textsFor(language, flow).steps[name];
      const shown = JSON.stringify([language, flow.progress, words, shownOf(step)]);
      if (found.has(shown)) continue;
      const kind = `${language} ${step.kind} ${step.ends === true}`;
      found.set(shown, { path: screenAddress(path, index), what: `${path} ${name}`, kind });
    }
  }
  return [...found.values()];
}

/** Steps with the same question and words are one screen, whatever their names. */
function shownOf({ next: _, stage: __, progress: ___, sets: ____, ...shown }: Step) {
  return shown;
}

const all = await screens();
const screensPerTest = 17;

for (let first = 0; first < all.length; first += screensPerTest) {
  const some = all.slice(first, first + screensPerTest);
  test(`screens ${first + 1} to ${first + some.length} of the surveys: no violation`, async ({
    page,
  }) => {
    for (const { path, what } of some) {
      await page.goto(path);
      await expect(page.locator('[data-step]')).toHaveCount(1);
      await examine(page, what);
    }
  });
}

test.describe('on a desktop, where the frame around a screen differs', () => {
  test.use(desktop);

  test('one screen of each kind: no violation', async ({ page }) => {
    const kinds = new Map(all.map((screen) => [screen.kind, screen]));
    for (const { path, what } of kinds.values()) {
      await page.goto(path);
      await examine(page, what);
    }
  });
});
