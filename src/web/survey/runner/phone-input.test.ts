import { describe, expect, test } from 'vitest';
import { maskPhone } from './phone-input.ts';

/** Returns the masked text after an edit. `|` marks the caret in the edited and the masked text. */
function typed(before: string, marked: string, deleted?: 'backward' | 'forward'): string {
  const caret = marked.indexOf('|');
  const masked = maskPhone(before, { value: marked.replace('|', ''), caret }, deleted);
  return `${masked.value.slice(0, masked.caret)}|${masked.value.slice(masked.caret)}`;
}

describe('phone mask', () => {
  test.each([
    ['typing', '(21', '(214|', '(214|'],
    ['typing over a separator', '(214', '(2145|', '(214) 5|'],
    ['typing in the middle', '(214) 55', '(2914) 55|', '(291) 455|'],
    ['typing in the middle, with the caret in the middle', '(214) 55', '(29|14) 55', '(29|1) 455'],
    ['pasting with +1', '', '+1 (214) 555-0143|', '(214) 555-0143|'],
    ['pasting with 1-', '', '1-214-555-0143|', '(214) 555-0143|'],
    ['pasting letters', '', 'call me|', '|'],
    ['a leading 1 stays', '', '1|', '(1|'],
    ['ten digits that begin with 1', '(123) 456-789', '(123) 456-7890|', '(123) 456-7890|'],
    [
      'an eleventh digit after a leading 1',
      '(123) 456-7890',
      '(123) 456-78901|',
      '(234) 567-8901|',
    ],
    ['a 1 before a complete number', '(214) 555-0143', '1|(214) 555-0143', '|(214) 555-0143'],
    ['a number of another country', '', '+52 55 1234 5678|', '+52 55 1234 5678|'],
    ['the plus sign of one', '', '+|', '+|'],
    ['the country code after it', '+', '+1|', '|'],
    ['its digits', '+52 55', '+52 551|', '+52 551|'],
    ['a pasted number with too many digits', '', '52 55 1234 5678|', '52 55 1234 5678|'],
    ['such a number cut to ten', '52 5512 34567', '52 5512 3456|', '(525) 512-3456|'],
    ['an eleventh digit', '(214) 555-0143', '(214) 555-01439|', '(214) 555-01439|'],
    ['an eleventh digit in the middle', '(214) 555-0143', '(2149|) 555-0143', '(2149|) 555-0143'],
  ])('%s: %j edited to %j becomes %j', (_, before, marked, expected) => {
    expect(typed(before, marked)).toBe(expected);
  });

  test.each([
    ['backspace at the end', '(214) 5', '(214) |', 'backward', '(214|'],
    ['backspace over a separator', '(214) 555', '(214)| 555', 'backward', '(21|5) 55'],
    ['delete over a separator', '(214) 555', '(214| 555', 'forward', '(214|) 55'],
    ['backspace of the last digit', '(2', '(|', 'backward', '|'],
    ['backspace of the bracket', '(214) 555', '|214) 555', 'backward', '|(214) 555'],
  ] as const)('%s: %j edited to %j (%s) becomes %j', (_, before, marked, deleted, expected) => {
    expect(typed(before, marked, deleted)).toBe(expected);
  });
});
