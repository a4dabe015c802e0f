import type { MouseEvent } from 'react';
import type { JourneyState } from '../../journey/state.ts';

/**
 * The fields that let a browser send the form without a script (docs/specification.md#without-javascript): the
 * answered step, and the button for Enter. Browsers press a form's first button, which must not be an answer.
 */
export function PlainFormFields({ at, refusals }: Pick<JourneyState, 'at' | 'refusals'>) {
  return (
    <>
      <input type="hidden" name="step" value={at} />
      {refusals > 0 && <input type="hidden" name="refusals" value={refusals} />}
      {/* biome-ignore lint/a11y/useButtonType: the way on is the step's one button[type=submit] (docs/specification.md#scriptable-page) */}
      <button className="sr-only" tabIndex={-1} aria-hidden="true" />
    </>
  );
}

/** Keeps buttons with a name (answers, toggles, back) from sending the form. Without a script they must send it. */
export function keepFromSending(event: MouseEvent): void {
  if ((event.target as Element).closest('button')?.name) event.preventDefault();
}
