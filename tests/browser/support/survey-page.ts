/** Answers a survey's steps as visitors do. */
import { expect, type Page } from '@playwright/test';
import type { Answers, AskedFieldName } from '../../../src/model/fields/answers.ts';
import { type Flow, impliedBy, stepOf } from '../../../src/model/flows/engine/flow.ts';
import type { FlowPath } from '../../../src/model/flows/test-support/paths.ts';

/** A step for `walkInPage`, as plain data that can be sent into a page. */
type StepToWalk = {
  readonly step: string;
  /** True if a tap on the answer completes the step. */
  readonly isChoice: boolean;
  readonly answers: readonly (readonly [field: string, value: string])[];
};

/** Returns true if a tap on an answer completes the step. */
export function isTapped(flow: Flow, step: string): boolean {
  return stepOf(flow, step).kind === 'choice';
}

/** Returns the fields that the visitor fills at a step, without looked-up and hidden fields. */
function givenAt(flow: Flow, name: string, own: Answers): [AskedFieldName, string][] {
  const step = stepOf(flow, name);
  return (Object.entries(own) as [AskedFieldName, string][]).filter(
    ([field]) => !step.finds?.includes(field) && !(field in impliedBy(step, own)),
  );
}

/** Waits until `step` is on screen, as the only element with a step's name. */
export async function expectStep(page: Page, step: string): Promise<void> {
  await expect(page.locator('[data-step]')).toHaveAttribute('data-step', step);
}

/** Waits until the idle page has fetched and started everything after its first question. Chromium only. */
export async function expectAllFetched(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const { result } = await client.send('Runtime.evaluate', { expression: 'window' });
  const objectId = result.objectId as string;
  const heard = async () => {
    const { listeners } = await client.send('DOMDebugger.getEventListeners', { objectId });
    return listeners.map(({ type }) => type);
  };
  // later.tsx listens to keys last; the network may be idle before that.
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
  await screen.locator('button[type=submit]').click();
}

/**
 * Answers the steps of a path from inside the page, without the driver's pauses, by the events that a browser fires.
 * Does not press the last step's button.
 */
export async function fillSurvey(page: Page, flow: Flow, path: FlowPath): Promise<void> {
  const todo = path.steps.map((step) => ({
    step,
    isChoice: isTapped(flow, step),
    answers: givenAt(flow, step, path.answers[step] ?? {}),
  }));
  await page.evaluate(walkInPage, todo);
}

/** Presses the button of a step's form. */
export async function sendStep(page: Page): Promise<void> {
  await page.locator('[data-step] button[type=submit]').click();
}

/** Walks a path from inside the page. The driver presses the last button, which leaves the page. */
export async function walkSurveyFast(page: Page, flow: Flow, path: FlowPath): Promise<void> {
  await fillSurvey(page, flow, path);
  const last = path.steps.at(-1);
  if (last !== undefined && !isTapped(flow, last)) await sendStep(page);
}

/** Walks a path from inside the page up to the step `last`, which it does not answer. */
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

/** Answers each step, except for the last step's button. Runs in a page, so it must be self-contained. */
async function walkInPage(todo: readonly StepToWalk[]): Promise<void> {
  // Animation frames would be slow in a background page.
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  const deadline = performance.now() + 150_000;
  // A form may appear a moment after its question (src/web/survey/runner/later.tsx).
  const find = async <Found extends Element>(selector: string): Promise<Found> => {
    for (;;) {
      // A disqualified visitor is asked whether to send anyway.
      document.querySelector<HTMLButtonElement>('button[name=still_send]')?.click();
      const found = document.querySelector<Found>(`[data-step] ${selector}`);
      if (found) return found;
      const step = document.querySelector('[data-step]')?.getAttribute('data-step');
      if (performance.now() > deadline) throw new Error(`no ${selector} at ${step}`);
      await turn();
    }
  };
  const enter = (field: HTMLInputElement, value: string) => {
    const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set;
    field.focus();
    set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    field.blur();
  };
  for (const [index, { step, isChoice, answers }] of todo.entries()) {
    while (document.querySelector('[data-step]')?.getAttribute('data-step') !== step) {
      if (performance.now() > deadline) throw new Error(`${step} did not come`);
      await turn();
    }
    if (isChoice) {
      const [name, value] = answers[0] ?? ['', ''];
      (await find<HTMLButtonElement>(`button[name="${name}"][value="${value}"]`)).click();
      continue;
    }
    // A new question scrolls and takes the focus after its paint; an earlier press would miss the
    // button.
    while (index > 0 && document.activeElement?.id !== 'question') {
      if (performance.now() > deadline) throw new Error(`${step} did not take the focus`);
      await turn();
    }
    for (const [name, value] of answers) {
      // A list gets its options after the paint.
      await find(`:is([name="${name}"]:not(select), select[name="${name}"] [value="${value}"])`);
      const control = await find<HTMLInputElement>(`[name="${name}"]`);
      if (control.tagName !== 'BUTTON') enter(control, value);
      else (await find<HTMLButtonElement>(`button[name="${name}"][value="${value}"]`)).click();
      await turn();
    }
    if (index < todo.length - 1) (await find<HTMLButtonElement>('button[type=submit]')).click();
  }
}
