import { formatPhoneMask, hasNoMask, phoneDigits } from '../../../model/fields/phone-format.ts';

export type CaretText = { readonly value: string; readonly caret: number };

function allDigits(text: string): string {
  return text.replace(/\D/g, '');
}

/** Returns the position after the `count`-th digit of a masked number. */
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
 * Returns the masked number after an edit, with the caret behind the same digit. Deleting a separator deletes the
 * digit next to it, because the mask would add the separator again. A complete number loses a leading 1. Returns a
 * foreign number unchanged.
 *
 * @param before the masked text before the edit
 * @param after the browser's text after the edit
 * @param deleted the direction of a deletion
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

/** Reduces an input to at most `most` digits of an integer (docs/specification.md#field-checks). */
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
