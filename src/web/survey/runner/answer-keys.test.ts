import { expect, test } from 'vitest';
import { type AnswerKey, answerOf } from './answer-keys.ts';

const press = (key: string, more: Partial<AnswerKey> = {}): AnswerKey => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  repeat: false,
  defaultPrevented: false,
  ...more,
});
const lawyer = ['Yes', 'Yes, but I want a new lawyer', 'No'];

test.each([
  ['1', lawyer, 0],
  ['3', lawyer, 2],
  ['4', lawyer, undefined],
  ['0', lawyer, undefined],
  ['y', lawyer, 0],
  ['n', lawyer, 2],
  ['s', ['Sí', 'No'], 0],
  ['y', ['Sí', 'No'], 0],
  ['n', ['Sí', 'No, o no sé'], 1],
  // A single key must not answer the question of fault by accident.
  ['n', ['Someone else', 'I was', 'Both, or not sure'], undefined],
  ['n', ['North', 'None so far'], undefined],
  ['s', ['Semi or big truck', 'Car'], undefined],
  ['x', lawyer, undefined],
  ['Enter', lawyer, undefined],
] as const)('%s of %j', (key, labels, index) => {
  expect(answerOf(press(key), labels)).toBe(index);
});
