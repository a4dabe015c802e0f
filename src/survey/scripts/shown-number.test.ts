import { expect, test } from 'vitest';
import { shownNumber, tenDigits } from './shown-number.ts';

test.each([
  ['(212) 555-0142', '2125550142'],
  ['tel:+12125550142', '2125550142'],
  ['tel:2125550142', '2125550142'],
  ['Call us 212.555.0142 now', '2125550142'],
  ['1-212-555-0142', '2125550142'],
  ['212 555 0142', '2125550142'],
  ['Call +1 (212) 555-0142', '2125550142'],
  ['92125550142', undefined],
  ['tel:+442071234567', undefined],
  ['(112) 555-0142', undefined],
  ['212555014', undefined],
  ['', undefined],
])('the number in "%s" is %s', (text, digits) => {
  expect(tenDigits(text)).toBe(digits);
});

test('a number is shown in the page’s one way', () => {
  expect(shownNumber('2125550142')).toEqual({
    phoneDisplay: '(212) 555-0142',
    phoneHref: 'tel:+12125550142',
  });
});
