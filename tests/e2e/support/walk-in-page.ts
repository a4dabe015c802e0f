import type { Answers, AskedFieldName } from '../../../src/domain/answers.ts';
import { type Flow, impliedBy, type ScreenKind, stepOf } from '../../../src/flows/engine/flow.ts';
import type { FlowPath } from '../../../src/flows/engine/paths.ts';

/** A step as `walkInPage` answers it: plain data that can be sent into a page. */
export type StepToWalk = {
  readonly step: string;
  /** A tap on the answer completes the step. */
  readonly isChoice: boolean;
  readonly answers: readonly (readonly [field: string, value: string])[];
};

/** Returns whether a look-up, not the visitor, fills the field on this step. */
export function isFound(flow: Flow, step: string, field: AskedFieldName): boolean {
  return stepOf(flow, step).finds?.includes(field) ?? false;
}

/** Returns whether another answer of the step hides the field. */
export function isIdle(flow: Flow, step: string, field: AskedFieldName, own: Answers): boolean {
  return field in impliedBy(stepOf(flow, step), own);
}

/** Returns whether a tap on an answer completes a screen of this kind. */
export function isTapped(kind: ScreenKind): boolean {
  return kind === 'choice';
}

export function stepsToWalk(flow: Flow, path: FlowPath): StepToWalk[] {
  return path.steps.map((step) => ({
    step,
    isChoice: isTapped(stepOf(flow, step).kind),
    answers: (Object.entries(path.answers[step] ?? {}) as [AskedFieldName, string][]).filter(
      ([field]) =>
        !isFound(flow, step, field) && !isIdle(flow, step, field, path.answers[step] ?? {}),
    ),
  }));
}

/**
 * Answers each step with the contract's buttons and fields and a browser's events. Leaves the last step's
 * button to the caller. Runs in a page, so it may use nothing from outside.
 */
export async function walkInPage(todo: readonly StepToWalk[]): Promise<void> {
  // Not an animation frame: those come slowly in a page in the background.
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  // A form may appear a moment after its question (src/survey/runner/later.ts).
  const find = async <Found extends Element>(selector: string): Promise<Found> => {
    const deadline = performance.now() + 60_000;
    for (;;) {
      // For a visitor whose case is decided already.
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
    const deadline = performance.now() + 60_000;
    while (document.querySelector('[data-step]')?.getAttribute('data-step') !== step) {
      if (performance.now() > deadline) throw new Error(`${step} did not come`);
      await turn();
    }
    if (isChoice) {
      const [name, value] = answers[0] ?? ['', ''];
      (await find<HTMLButtonElement>(`button[name="${name}"][value="${value}"]`)).click();
      continue;
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
