import { expect, type Page } from '@playwright/test';
import type { Answers, AskedFieldName } from '../../../src/domain/answers.ts';
import { type Flow, stepOf } from '../../../src/flows/engine/flow.ts';
import type { FlowPath } from '../../../src/flows/engine/paths.ts';
import { isFound, isIdle, isTapped, stepsToWalk, walkInPage } from './walk-in-page.ts';

export { isTapped } from './walk-in-page.ts';

/** Waits until `step` is on screen, as the only element with a step's name. */
export async function expectStep(page: Page, step: string): Promise<void> {
  await expect(page.locator('[data-step]')).toHaveAttribute('data-step', step);
}

/** Waits until the idle page has fetched everything after its first question. */
export async function expectAllFetched(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('link[disabled]'));
  await page.waitForLoadState('networkidle');
}

/** Answers a step as a visitor would: taps the button, or fills the fields and goes on. */
export async function answerStep(
  page: Page,
  flow: Flow,
  step: string,
  own: Answers,
): Promise<void> {
  const screen = page.locator(`[data-step="${step}"]`);
  const { kind } = stepOf(flow, step);
  const given = (Object.entries(own) as [AskedFieldName, string][]).filter(
    ([field]) => !isFound(flow, step, field) && !isIdle(flow, step, field, own),
  );
  if (isTapped(kind)) {
    const [field, value] = given[0] as [AskedFieldName, string];
    await screen.locator(`button[name="${field}"][value="${value}"]`).click();
    return;
  }
  for (const [field, value] of given) {
    const control = screen.locator(`[name="${field}"]`);
    const tag = await control.first().evaluate((element) => element.tagName);
    if (tag === 'BUTTON') await screen.locator(`button[name="${field}"][value="${value}"]`).click();
    else if (tag === 'SELECT') await control.selectOption(value);
    else await control.fill(value);
  }
  await screen.locator('button[type=submit]').click();
}

/** Walks a survey from the current step to the end of a path. */
export async function walkSurvey(
  page: Page,
  flow: Flow,
  path: FlowPath,
  onStep: (step: string) => Promise<void> = async () => {},
): Promise<void> {
  for (const step of path.steps) {
    await expectStep(page, step);
    await onStep(step);
    await answerStep(page, flow, step, path.answers[step] ?? {});
  }
}

/**
 * Walks a path from inside the page, without the driver's pauses, for the hundreds of paths. It uses the
 * contract's buttons and fields and fires a browser's events. The driver presses the last button, which
 * leaves the page.
 */
export async function walkSurveyFast(page: Page, flow: Flow, path: FlowPath): Promise<void> {
  const steps = stepsToWalk(flow, path);
  await page.evaluate(walkInPage, steps);
  if (!steps.at(-1)?.isChoice) await page.locator('[data-step] button[type=submit]').click();
}

/** Returns a function that gives the lead id from the page's `survey:step` events. */
export async function watchLeadId(page: Page): Promise<() => string> {
  let seen = '';
  await page.exposeFunction('tellLeadId', (id: string) => {
    seen = id;
  });
  await page.addInitScript(() => {
    window.addEventListener('survey:step', (event) => {
      const { lead_id } = (event as CustomEvent<{ lead_id: string }>).detail;
      (window as unknown as { tellLeadId(id: string): void }).tellLeadId(lead_id);
    });
  });
  return () => {
    if (seen === '') throw new Error('no survey:step event was seen');
    return seen;
  };
}
