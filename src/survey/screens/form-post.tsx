import type { MouseEvent } from 'react';
import type { JourneyState } from '../../journey/state.ts';

/**
 * What makes the survey's form one that a browser can send by itself, where no script runs
 * (docs/specification.md#without-javascript): which step it answers, and the button that Enter presses.
 * Of a form's buttons browsers press the first, which must not be an answer.
 */
export function FormPost({ at, refusals }: Pick<JourneyState, 'at' | 'refusals'>) {
  return (
    <>
      <input type="hidden" name="step" value={at} />
      {refusals > 0 && <input type="hidden" name="refusals" value={refusals} />}
      {/* biome-ignore lint/a11y/useButtonType: the way on is the step's one button[type=submit] (docs/specification.md#scriptable-page) */}
      <button className="sr-only" tabIndex={-1} aria-hidden="true" />
    </>
  );
}

/**
 * Answers, yes-or-no beside other questions, and the ways back are buttons of the form with a name and
 * without a type: each sends it where no script runs. Where this runs, none does.
 */
export function keepFromSending(event: MouseEvent): void {
  if ((event.target as Element).closest('button')?.name) event.preventDefault();
}
