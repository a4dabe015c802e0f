import { expect, test, vi } from 'vitest';
import { initialState } from '../../journey/state.ts';
import { pageData } from '../test-support/survey-fixture.ts';
import { recordPageError } from './page-errors.ts';

test('the first error of an own script is recorded with its step, and none of a third party', () => {
  const page = new EventTarget();
  const record = vi.fn();
  const state = initialState(pageData().flow);
  recordPageError({ getState: () => state, record }, page, { origin: 'https://claims.example' });
  const fail = (filename?: string) =>
    page.dispatchEvent(Object.assign(new Event('error'), { filename }));
  for (const of of ['', undefined, 'https://claims.example.evil/a.js', 'chrome-extension://a/b.js'])
    fail(of);
  expect(record).not.toHaveBeenCalled();
  fail('https://claims.example/_astro/entry.js');
  fail('https://claims.example/_astro/entry.js');
  expect(record.mock.calls).toEqual([[{ kind: 'failed', step: state.at, answers: {} }]]);
});
