import { expect, it } from 'vitest';
import { checkText, createTextChecks } from './check-texts.ts';

it('checks a description only up to the page’s length limit', () => {
  const read: string[] = [];
  const checks = createTextChecks({
    gibberish: (text) => {
      read.push(text);
      return undefined;
    },
    blockedTerms: (text) => {
      read.push(text);
      return text.includes('bad') ? [{ term: 'bad', category: 'other' }] : [];
    },
    name: () => ({ bad: false }),
    descriptionLimit: 10,
  });
  expect(checks.ofDescription(`0123456789 ${'bad '.repeat(10_000)}`)).toEqual({ bad_words: 'no' });
  expect(checkText(checks, 'bad 4567890 bad')).toEqual({ is_gibberish: 'no', bad_words: 'yes' });
  expect(new Set(read)).toEqual(new Set(['0123456789', 'bad 456789']));
});
