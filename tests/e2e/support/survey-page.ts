import { expect, type Page } from '@playwright/test';
import type { Answers, AskedFieldName } from '../../../src/domain/answers.ts';
import { type Flow, type ScreenKind, stepOf } from '../../../src/flows/engine/flow.ts';
import type { FlowPath } from '../../../src/flows/engine/paths.ts';

/** Waits until `step` is on screen: as the one element that carries a step's name. */
export async function expectStep(page: Page, step: string): Promise<void> {
  await expect(page.locator('[data-step]')).toHaveAttribute('data-step', step);
}

/** Whether a look-up answers a field on this step, and not the visitor. */
function isFound(flow: Flow, step: string, field: AskedFieldName): boolean {
  return stepOf(flow, step).finds?.includes(field) ?? false;
}

/** Whether a tap on an answer is all that a screen of this kind needs. */
export function isTapped(kind: ScreenKind): boolean {
  return kind === 'choice' || kind === 'pick';
}

/** Gives a step its answers as a visitor would: taps the button, or fills the fields and goes on. */
export async function answerStep(
  page: Page,
  flow: Flow,
  step: string,
  own: Answers,
): Promise<void> {
  const screen = page.locator(`[data-step="${step}"]`);
  const { kind } = stepOf(flow, step);
  const given = (Object.entries(own) as [AskedFieldName, string][]).filter(
    ([field]) => !isFound(flow, step, field),
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

/** Walks a survey from the step on screen to the end of a path. */
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
 * Walks a path from inside the page, as fast as the page goes: the same buttons and fields, by their
 * contract, with the events that a browser fires, but without a driver's pauses between them. For the
 * hundreds of paths; the last button is pressed from outside, since it leaves the page.
 */
export async function walkSurveyFast(page: Page, flow: Flow, path: FlowPath): Promise<void> {
  const steps = path.steps.map((step) => ({
    step,
    isChoice: isTapped(stepOf(flow, step).kind),
    answers: Object.entries(path.answers[step] ?? {}).filter(
      ([field]) => !isFound(flow, step, field as AskedFieldName),
    ),
  }));
  await page.evaluate(async (todo) => {
    // Not a frame: those are for what is drawn, and come slowly where nobody looks.
    const turn = () => new Promise((resolve) => setTimeout(resolve));
    const find = <Found extends Element>(selector: string): Found => {
      const found = document.querySelector<Found>(`[data-step] ${selector}`);
      if (!found)
        throw new Error(
          `no ${selector} at ${document.querySelector('[data-step]')?.getAttribute('data-step')}`,
        );
      return found;
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
      const deadline = performance.now() + 10_000;
      while (document.querySelector('[data-step]')?.getAttribute('data-step') !== step) {
        if (performance.now() > deadline) throw new Error(`${step} did not come`);
        await turn();
      }
      if (isChoice) {
        const [name, value] = answers[0] ?? ['', ''];
        find<HTMLButtonElement>(`button[name="${name}"][value="${value}"]`).click();
        continue;
      }
      for (const [name, value] of answers) {
        const control = find<HTMLInputElement>(`[name="${name}"]`);
        if (control.tagName !== 'BUTTON') enter(control, value);
        else find<HTMLButtonElement>(`button[name="${name}"][value="${value}"]`).click();
        await turn();
      }
      if (index < todo.length - 1) find<HTMLButtonElement>('button[type=submit]').click();
    }
  }, steps);
  if (!steps.at(-1)?.isChoice) await page.locator('[data-step] button[type=submit]').click();
}

/** The id of the visit's lead, as the page tells it in its `survey:step` events. */
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
