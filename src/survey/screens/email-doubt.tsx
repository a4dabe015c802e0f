import type { MouseEvent } from 'react';
import { suggestEmail } from '../../domain/typos.ts';
import { fill } from '../texts/fill.ts';
import type { ScreenProps } from './screen-props.ts';

/** Types the button's address into the e-mail input: React takes a value as typed only from outside of it. */
function enter({ currentTarget: { form, value } }: MouseEvent<HTMLButtonElement>): void {
  const input = form?.elements.namedItem('email') as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.focus();
}

/**
 * Asks about an e-mail address that was probably mistyped; a tap takes the one that was meant. It comes only once
 * the form is sent: as the input is left by a tap on the way on, nothing may move under the finger.
 */
export function EmailDoubt({ screen: { values, texts } }: { readonly screen: ScreenProps }) {
  const email = suggestEmail(values.email ?? '') ?? '';
  return (
    <>
      <p className="error" id="error-email">
        {fill(texts.fields.email?.errors.doubtful ?? '', { email })}
      </p>
      <button type="button" className="link correction" value={email} onClick={enter}>
        {texts.controls.correct}
      </button>
    </>
  );
}
