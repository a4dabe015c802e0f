import { expect, test } from 'vitest';
import { toggleSentence } from './toggle-sentence.ts';

const [rear, light] = ['Another vehicle hit us from behind.', 'They ran a red light.'];

test.each<[string, string, string]>([
  ['writes into an empty text', '', `${rear} `],
  ['replaces an unedited sentence', `${light} `, `${rear} `],
  ['is added to a text of the visitor', 'It rained', `It rained. ${rear} `],
  ['is added to an edited sentence', `${light} It rained.`, `${light} It rained. ${rear} `],
  ['is removed if the text has it', ` ${rear} `, ''],
  ['is removed from a longer text', `It rained. ${rear} I fell.`, 'It rained. I fell.'],
])('a sentence %s', (_, text, changed) => {
  expect(toggleSentence(text, rear, [rear, light])).toBe(changed);
});

test('a sentence that has no rivals is added to an unedited one', () => {
  const fled = 'The other driver drove off.';
  expect(toggleSentence(`${rear} `, fled, [rear, light])).toBe(`${rear} ${fled} `);
  expect(toggleSentence(`${fled} `, rear, [rear, light])).toBe(`${fled} ${rear} `);
});
