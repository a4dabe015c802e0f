import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type TestDatabase, withDatabase } from '../../../tests/support/postgres.ts';
import { type Circuit, createCircuit } from '../providers/circuit.ts';
import { createSharedCircuit } from './shared-circuits.ts';

const FAILURES = 4;
/** No test waits for it. */
const PAUSE_MS = 600_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await withDatabase();
});
afterAll(() => database.drop());

const states = vi.fn();
let nowMs: number;
let processes: readonly Circuit[];
beforeEach(async () => {
  await database.pool.query('delete from service_circuits');
  states.mockClear();
  nowMs = 0;
  processes = ['a', 'b'].map((process) =>
    createCircuit({
      ...{ failures: FAILURES, pauseMs: PAUSE_MS, nowMs: () => nowMs },
      onChange: (state, _, reason) => states(process, state, reason),
      shared: createSharedCircuit({
        pool: database.pool,
        log: pino({ level: 'silent' }),
        name: 'zip',
      }),
    }),
  );
});

const at = (turn: number) => processes[turn % 2] as Circuit;
const stored = async () =>
  (await database.pool.query('select failures, open_until > now() as open from service_circuits'))
    .rows;
const fail = async (turn: number) => (await at(turn).admit())?.failed('HTTP 500');

/** Opens the circuit in both processes. */
async function open(): Promise<void> {
  for (let turn = 0; turn <= FAILURES; turn += 1) {
    await fail(turn);
    await expect.poll(stored).toEqual([{ failures: turn + 1, open: turn + 1 >= FAILURES || null }]);
  }
  await expect.poll(() => processes.map(({ state }) => state)).toEqual(['open', 'open']);
}

test('failures count together, and one process tells of the end of the pause', async () => {
  await open();
  expect(states.mock.calls).toEqual([
    ['b', 'open', 'HTTP 500'],
    // It learned of it by its next failure.
    ['a', 'open', undefined],
  ]);
});

test('one process makes the trial; its success closes the circuit for all', async () => {
  await open();
  await database.pool.query('update service_circuits set open_until = now()');
  nowMs += PAUSE_MS;
  const trial = await at(0).admit();
  expect(trial).toBeDefined();
  expect(await at(1).admit()).toBeUndefined();
  expect(at(1).state).toBe('open');
  trial?.succeeded();
  await expect.poll(stored).toEqual([]);
  nowMs += PAUSE_MS;
  expect(await at(1).admit()).toBeDefined();
  expect(states.mock.calls.slice(2)).toEqual([
    ['a', 'half_open', ''],
    ['b', 'half_open', ''],
    ['b', 'open', undefined],
    ['a', 'closed', ''],
    ['b', 'half_open', ''],
    ['b', 'closed', undefined],
  ]);
});

test('a success ends the row of failures; without the database each process counts', async () => {
  await fail(0);
  await expect.poll(stored).toEqual([{ failures: 1, open: null }]);
  (await at(0).admit())?.succeeded();
  await expect.poll(stored).toEqual([]);
  await database.pool.query('alter table service_circuits rename to gone');
  try {
    for (let turn = 0; turn < FAILURES; turn += 1) await fail(0);
    await expect.poll(() => at(0).state).toBe('open');
    expect(await at(1).admit()).toBeDefined();
  } finally {
    await database.pool.query('alter table gone rename to service_circuits');
  }
});
