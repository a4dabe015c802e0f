import { expect, it } from 'vitest';
import { createTextChecks } from './context.ts';

it('the check of a description ignores blocked terms beyond the length limit', () => {
  const read: string[] = [];
  const checks = createTextChecks((text) => {
    read.push(text);
    return text.includes('bad') ? [{ term: 'bad', category: 'other' }] : [];
  }, 10);
  const answer = checks.ofDescription(`The light ${'bad '.repeat(10_000)}`);
  expect(answer).toEqual({ is_gibberish: 'no', bad_words: 'no' });
  expect(checks.ofDescription('bad light bad')).toEqual({ is_gibberish: 'no', bad_words: 'yes' });
  expect(read).toEqual(['The light ', 'bad light ']);
});
