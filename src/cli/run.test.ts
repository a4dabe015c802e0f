import process from 'node:process';
import { expect, test, vi } from 'vitest';
import { watchSignals } from './run.ts';

test('a command that gets SIGINT twice closes the database only once', async () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  vi.spyOn(console, 'error').mockReturnValue();
  const stop = vi.fn(async () => undefined);
  const unwatch = watchSignals(stop);
  // Both the terminal and npm send SIGINT.
  for (let sent = 0; sent < 2; sent += 1) process.emit('SIGINT', 'SIGINT');
  await vi.waitFor(() => expect(exit).toHaveBeenCalled());
  unwatch();
  expect(exit.mock.calls).toEqual([[130]]);
  expect(stop).toHaveBeenCalledTimes(1);
});
