import { expect, type Page } from '@playwright/test';
import type { Answers, AskedFieldName } from '../../../src/domain/answers.ts';
import { type Flow, stepOf } from '../../../src/flows/engine/flow.ts';
import type { FlowPath } from '../../../src/flows/engine/paths.ts';
import { isFound, isIdle, isTapped, stepsToWalk, walkInPage } from './walk-in-page.ts';

/** Waits until `step` is on screen, as the only element with a step's name. */
export async function expectStep(page: Page, step: string): Promise<void> {
  await expect(page.locator('[data-step]')).toHaveAttribute('data-step', step);
}

/** Waits until the idle page has fetched and started everything after its first question. */
export async function expectAllFetched(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const { result } = await client.send('Runtime.evaluate', { expression: 'window' });
  const objectId = result.objectId as string;
  const heard = async () => {
    const { listeners } = await client.send('DOMDebugger.getEventListeners', { objectId });
    return listeners.map(({ type }) => type);
  };
  // The later code listens to keys last (src/survey/runner/later.ts). The network may be idle before.
  await expect.poll(heard).toContain('keydown');
  await client.detach();
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
  const stillSend = screen.locator('[name=still_send]');
  if (given.some(([field]) => /name|email|phone/.test(field)) && (await stillSend.isVisible())) {
    await stillSend.click();
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

/** Walks a survey tap by tap, from the current step to the end of a path. */
export async function walkSurvey(page: Page, flow: Flow, path: FlowPath): Promise<void> {
  for (const step of path.steps) {
    await expectStep(page, step);
    await answerStep(page, flow, step, path.answers[step] ?? {});
  }
}

/**
 * Answers the steps of a path from inside the page, without the driver's pauses. It uses the contract's
 * buttons and fields and fires a browser's events. It does not press the last step's button.
 */
export async function fillSurvey(page: Page, flow: Flow, path: FlowPath): Promise<void> {
  await page.evaluate(walkInPage, stepsToWalk(flow, path));
}

/** Presses the button of a step's form. */
export async function sendStep(page: Page): Promise<void> {
  await page.locator('[data-step] button[type=submit]').click();
}

/** Walks a path from inside the page. The driver presses the last button, which leaves the page. */
export async function walkSurveyFast(page: Page, flow: Flow, path: FlowPath): Promise<void> {
  await fillSurvey(page, flow, path);
  const last = path.steps.at(-1);
  if (last !== undefined && !isTapped(stepOf(flow, last).kind)) await sendStep(page);
}

/** Walks a path from inside the page to the step `last`, and leaves that unanswered. */
export async function walkUpTo(
  page: Page,
  flow: Flow,
  path: FlowPath,
  last: string,
): Promise<void> {
  const steps = path.steps.slice(0, path.steps.indexOf(last));
  await walkSurveyFast(page, flow, { ...path, steps });
  await expectStep(page, last);
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
