import { expect, it } from 'vitest';
import { countWords, hasEnoughWords, isLongEnough } from './text.ts';

it.each([
  ['', 0],
  ['   \n ', 0],
  ['  one\ttwo\u00a0three \n four ', 4],
])('word and length rules %j has %i words', (text, words) => {
  expect(countWords(text)).toBe(words);
});

it('word and length rules needs four words and twenty characters', () => {
  expect(hasEnoughWords('hit from behind')).toBe(false);
  expect(hasEnoughWords('hit from behind twice')).toBe(true);
  expect(hasEnoughWords(`a b ${' '.repeat(50_000)}${'x'.repeat(50_000)}`)).toBe(false);
  expect(isLongEnough('x'.repeat(19))).toBe(false);
  expect(isLongEnough('x'.repeat(20))).toBe(true);
  expect(isLongEnough(` ${'x'.repeat(19)} `)).toBe(false);
});
