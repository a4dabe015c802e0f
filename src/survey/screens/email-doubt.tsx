import type { MouseEvent } from 'react';
import { suggestEmail } from '../../domain/typos.ts';
import { fill } from '../texts/fill.ts';
import type { ScreenProps } from './screen-props.ts';

/** Types the button's address into the e-mail input. The prototype's setter makes React accept it as input. */
function enter({ currentTarget: { form, value } }: MouseEvent<HTMLButtonElement>): void {
  const input = form?.elements.namedItem('email') as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.focus();
}

/**
 * Asks about a probably mistyped e-mail address, and offers the likely one beside the visitor's own. Shown only after
 * the form is submitted: nothing may move under the finger that leaves the input for the button.
 */
export function EmailDoubt({ screen: { values, texts } }: { readonly screen: ScreenProps }) {
  const email = suggestEmail(values.email ?? '') ?? '';
  return (
    <>
      <p className="error" id="error-email">
        {fill(texts.fields.email?.errors.doubtful ?? '', { email })}
      </p>
      <button type="button" className="link correction" value={email} onClick={enter}>
        {fill(texts.controls.correct, { email })}
      </button>
      {/* biome-ignore lint/a11y/useButtonType: the way on is the step's one button[type=submit] (form-post.tsx) */}
      <button className="link correction">{texts.controls.keepMine}</button>
    </>
  );
}
