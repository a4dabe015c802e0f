import { expect, test, vi } from 'vitest';
import { initialState } from '../../journey/state.ts';
import { pageData } from '../test-support/survey-fixture.ts';
import { recordPageError } from './later.ts';

test('the first error of an own script is recorded with its step, and none of a third party', () => {
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
