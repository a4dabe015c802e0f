import { pino } from 'pino';
import { expect, inject, it } from 'vitest';
import { waitForDatabase } from './wait-for-database.ts';

const { connectionString } = inject('testCluster');

/** Waits for a database without pauses. Returns the log's lines and the final error, if any. */
async function wait(url: string) {
  const lines: string[] = [];
  const pauses: number[] = [];
  const error = await waitForDatabase({
    connectionString: url,
    log: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
    pause: async (ms) => pauses.push(ms),
  }).catch((thrown: Error) => thrown.message);
  return { error, lines, pauses };
}

it.each([
  [{ password: 'tulip' }, /password authentication failed/],
  [{ pathname: '/none' }, /database "none" does not exist/],
])('waitForDatabase does not wait if DATABASE_URL is wrong: %o', async (change, text) => {
  const url = Object.assign(new URL(connectionString), change).href;
  const { error, lines, pauses } = await wait(url);
  expect(error).toMatch(/^The database at DATABASE_URL cannot be used: \S.+\.$/);
  expect(error).toMatch(text);
  expect(error).not.toContain(new URL(url).password);
  expect([lines, pauses]).toEqual([[], []]);
});

it('waitForDatabase warns of settings that may lose acknowledged leads', async () => {
  const url = new URL(connectionString);
  url.searchParams.set('options', '-c synchronous_commit=off');
  expect((await wait(url.href)).lines.join()).toMatch(/MAY LOSE .* synchronous_commit=off\. Turn/);
});
