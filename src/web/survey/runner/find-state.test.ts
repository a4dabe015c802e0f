import { expect, test, vi } from 'vitest';
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
