import { expect, test, vi } from 'vitest';
import { initialState } from '../../../model/visit/state.ts';
import { pageData } from '../test-support/survey-fixture.ts';
import { type AnswerKey, answerOf, recordPageError } from './later.tsx';

test('records the first error of our own scripts, but no error of other scripts', () => {
  const page = new EventTarget();
  vi.stubGlobal('location', { origin: 'https://claims.example' });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const record = vi.fn();
  const state = initialState(pageData().flow);
  recordPageError({ getState: () => state, record });
  const fail = (filename: string) =>
    page.dispatchEvent(Object.assign(new Event('error'), { filename }));
  for (const other of ['', 'https://claims.example.evil/a.js', 'chrome-extension://a/b.js']) {
    fail(other);
  }
  expect(record).not.toHaveBeenCalled();
  fail('https://claims.example/_astro/entry.js');
  fail('https://claims.example/_astro/entry.js');
  expect(record.mock.calls).toEqual([[{ kind: 'failed', step: state.at, answers: {} }]]);
  vi.unstubAllGlobals();
});

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
  // No label begins with No, so that the key N must choose nothing.
  ['n', ['Someone else', 'I was', 'Both, or not sure'], undefined],
  ['n', ['North', 'None so far'], undefined],
  ['s', ['Semi or big truck', 'Car'], undefined],
  ['x', lawyer, undefined],
  ['Enter', lawyer, undefined],
] as const)('the key %s among the answers %j chooses index %s', (key, labels, index) => {
  expect(answerOf(press(key), labels)).toBe(index);
});
