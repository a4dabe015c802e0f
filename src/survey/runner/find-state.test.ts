import { expect, test, vi } from 'vitest';
import { stateThatCounts } from '../../journey/visit.ts';
import { findState } from './find-state.ts';

test.each([
  ['a state', async () => Response.json({ state: 'AL' }), ['AL']],
  ['no state', async () => Response.json({ state: '' }), ['']],
  ['a page in place of an answer', async () => new Response('<html>'), []],
  ['a network that is away', () => Promise.reject(new TypeError('Failed to fetch')), []],
])('%s', async (_, answer, told) => {
  const tell = vi.fn();
  const ask = vi.fn<typeof fetch>(answer);
  await findState(tell, ask);
  expect(ask).toHaveBeenCalledExactlyOnceWith('/api/state');
  expect(tell.mock.calls).toEqual(told.map((state) => [state]));
});

test('only a state of the list counts, in any case', () => {
  const states = ['AL', 'NE'];
  expect(stateThatCounts('al', states)).toBe('AL');
  expect(stateThatCounts('TX', states)).toBeUndefined();
  expect(stateThatCounts('', states)).toBeUndefined();
  expect(stateThatCounts(undefined, states)).toBeUndefined();
});
