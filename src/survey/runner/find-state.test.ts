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

test.each([
  ['al', 'AL'],
  ['TX', undefined],
  ['', undefined],
  [undefined, undefined],
])('the state %s counts as %s', (told, counted) => {
  expect(stateThatCounts(told, ['AL', 'NE'])).toBe(counted);
});
