import { expect, type Page } from '@playwright/test';
import type { Answers, AskedFieldName } from '../../../src/model/fields/answers.ts';
import { type Flow, impliedBy, stepOf } from '../../../src/model/flows/engine/flow.ts';
import type { FlowPath } from '../../../src/model/flows/test-support/paths.ts';

/** Returns true if a tap on an answer completes the step. */
export function isTapped(flow: Flow, step: string): boolean {
  return stepOf(flow, step).kind === 'choice';
}

/** Returns the fields that a visitor fills in at a step. */
function givenAt(flow: Flow, name: string, own: Answers): [AskedFieldName, string][] {
  const step = stepOf(flow, name);
  return (Object.entries(own) as [AskedFieldName, string][]).filter(
    ([field]) => !step.finds?.includes(field) && !(field in impliedBy(step, own)),
  );
}

/** Waits until the page shows `step` and no other step. */
export async function expectStep(page: Page, step: string): Promise<void> {
  await expect(page.locator('[data-step]')).toHaveAttribute('data-step', step);
}

/** Waits until the idle page has loaded and started all its scripts. Works only in Chromium. */
export async function expectAllFetched(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const { result } = await client.send('Runtime.evaluate', { expression: 'window' });
  const objectId = result.objectId as string;
  const heard = async () => {
    const { listeners } = await client.send('DOMDebugger.getEventListeners', { objectId });
    return listeners.map(({ type }) => type);
  };
  await expect.poll(heard).toContain('keydown');
  await client.detach();
  await page.waitForLoadState('networkidle');
}

async function fillStep(page: Page, flow: Flow, step: string, own: Answers): Promise<void> {
  const screen = page.locator(`[data-step="${step}"]`);
  const given = givenAt(flow, step, own);
  if (isTapped(flow, step)) {
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
}

/** Answers a step with a tap or with a submitted form. */
export async function answerStep(
  page: Page,
  flow: Flow,
  step: string,
  own: Answers,
): Promise<void> {
  await fillStep(page, flow, step, own);
  if (!isTapped(flow, step))
    await page.locator(`[data-step="${step}"] button[type=submit]`).click();
}

/** Answers the steps of a path, but does not submit the last form. */
export async function fillSurvey(
  page: Page,
  flow: Flow,
  { steps, answers }: FlowPath,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    await expectStep(page, step);
    const answer = index < steps.length - 1 ? answerStep : fillStep;
    await answer(page, flow, step, answers[step] ?? {});
  }
}

/** Submits a step's form. */
export async function sendStep(page: Page): Promise<void> {
  await page.locator('[data-step] button[type=submit]').click();
}

/** Answers the steps of a path, and submits the last form. */
export async function walkSurvey(page: Page, flow: Flow, path: FlowPath): Promise<void> {
  await fillSurvey(page, flow, path);
  const last = path.steps.at(-1);
  if (last !== undefined && !isTapped(flow, last)) await sendStep(page);
}

/** Answers the steps of a path that come before the step `last`. */
export async function walkUpTo(
  page: Page,
  flow: Flow,
  path: FlowPath,
  last: string,
): Promise<void> {
  const steps = path.steps.slice(0, path.steps.indexOf(last));
  await walkSurvey(page, flow, { ...path, steps });
  await expectStep(page, last);
}

/** Returns a function that returns the lead id of the page's newest visit. */
export async function watchLeadId(page: Page): Promise<() => string> {
  let seen = '';
  await page.exposeFunction('reportLeadId', (id: string) => {
    seen = id;
  });
  await page.addInitScript(() => {
    window.addEventListener('survey:step', (event) => {
      const { lead_id } = (event as CustomEvent<{ lead_id: string }>).detail;
      (window as unknown as { reportLeadId(id: string): void }).reportLeadId(lead_id);
    });
  });
  return () => {
    if (seen === '') throw new Error('no survey:step event was seen');
    return seen;
  };
}
