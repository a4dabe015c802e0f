import { formatPhoneMask, hasNoMask, phoneDigits } from '../../domain/phone-format.ts';

/** An input's text and where its caret stands. */
export type CaretText = { readonly value: string; readonly caret: number };

function allDigits(text: string): string {
  return text.replace(/\D/g, '');
}

/** Position in a masked number right after its `count`-th digit. */
function afterDigit(masked: string, count: number): number {
  if (count === 0) return 0;
  let seen = 0;
  for (let index = 0; index < masked.length; index += 1) {
    if (/\d/.test(masked[index] as string)) seen += 1;
    if (seen === count) return index + 1;
  }
  return masked.length;
}

/**
 * What the phone input shows after an edit, and where its caret belongs: after the same digit as
 * before the mask was laid on. Deleting a separator deletes the digit next to it, as otherwise the
 * mask would put the separator back for ever. A number that is whole without its leading 1 loses it. What is no American number stays as it was typed.
 *
 * @param before the masked text before the edit
 * @param after what the browser made of the edit
 * @param deleted which way the edit deleted, if it did
 */
export function maskPhone(
  before: string,
  after: CaretText,
  deleted?: 'backward' | 'forward',
): CaretText {
  let digits = phoneDigits(after.value);
  if (hasNoMask(after.value)) {
    const value = formatPhoneMask(after.value);
    return { value, caret: Math.min(after.caret, value.length) };
  }
  const dropped = allDigits(after.value).length - digits.length;
  const left = allDigits(after.value.slice(0, after.caret)).length - dropped;
  let count = Math.min(Math.max(0, left), digits.length);
  if (deleted && digits === phoneDigits(before)) {
    const at = deleted === 'backward' ? count - 1 : count;
    if (at >= 0) digits = digits.slice(0, at) + digits.slice(at + 1);
    if (deleted === 'backward') count = Math.max(0, count - 1);
  }
  const value = formatPhoneMask(digits);
  return { value, caret: afterDigit(value, count) };
}

const lastValues = new WeakMap<HTMLInputElement, string>();

/** Lays the mask on an input after each of its edits. */
export function maskInput(input: HTMLInputElement, inputType: string | undefined): void {
  const before = lastValues.get(input) ?? input.defaultValue;
  const after = { value: input.value, caret: input.selectionStart ?? input.value.length };
  const deleted = inputType?.startsWith('deleteContent')
    ? inputType.endsWith('Forward')
      ? 'forward'
      : 'backward'
    : undefined;
  const masked = maskPhone(before, after, deleted);
  lastValues.set(input, masked.value);
  if (masked.value === input.value) return;
  input.value = masked.value;
  if (input.ownerDocument.activeElement === input) {
    input.setSelectionRange(masked.caret, masked.caret);
  }
}

/** Leaves only the digits of a whole number in an input (docs/specification.md#field-checks), at most so many. */
export function digitsInput(input: HTMLInputElement, most: number): void {
  const digits = input.value
    .replace(/\.\d*$/, '')
    .replace(/\D/g, '')
    .slice(0, most);
  if (digits === input.value) return;
  const caret = (input.selectionStart ?? 0) - (input.value.length - digits.length);
  input.value = digits;
  if (input.ownerDocument.activeElement === input) {
    input.setSelectionRange(Math.max(0, caret), Math.max(0, caret));
  }
}
