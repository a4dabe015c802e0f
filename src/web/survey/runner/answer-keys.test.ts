import { expect, test } from 'vitest';
import { answerOf } from './answer-keys.ts';

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  ({ key, ...more }) as KeyboardEvent;
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
  ['n', ['Someone else', 'I was', 'Both, or not sure'], undefined],
  ['n', ['North', 'None so far'], undefined],
  ['s', ['Semi or big truck', 'Car'], undefined],
  ['x', lawyer, undefined],
  ['Enter', lawyer, undefined],
] as const)(
  'answerOf returns the index of the answer that the key %s chooses',
  (key, labels, index) => {
    expect(answerOf(press(key), labels)).toBe(index);
  },
);
