import { suggestEmail } from '../../domain/typos.ts';
import { fill } from '../texts/fill.ts';
import type { ControlTexts } from '../texts/texts.ts';

/** Types a value into an input as its visitor would: React takes a value as typed only from outside of it. */
function enter(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Offers the address that was probably meant beside an e-mail input that was left, in the place that the
 * screen keeps for it (field.tsx); a tap takes it. Anything typed takes the offer away.
 */
export function offerEmail(
  input: EventTarget | null,
  { suggestion }: Pick<ControlTexts, 'suggestion'>,
): void {
  if (!(input instanceof HTMLInputElement) || input.name !== 'email') return;
  const email = suggestEmail(input.value);
  const place = document.getElementById('email-offer');
  if (!email || !place) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  button.textContent = fill(suggestion, { email });
  button.addEventListener('click', () => {
    enter(input, email);
    input.focus();
  });
  place.replaceChildren(button);
  input.addEventListener('input', () => place.replaceChildren(), { once: true });
}
