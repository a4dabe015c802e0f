import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SendOutcome, SendResult } from './destinations/destination.ts';
import { decide, MAX_ATTEMPTS, nextPause } from './ends.ts';

const decideFor = (
  outcome: SendOutcome,
  more: Partial<Parameters<typeof decide>[0]> & { result?: SendResult } = {},
) =>
  decide({
    result: { outcome, durationMs: 1 },
    attempt: 1,
    mayHaveArrived: false,
    recognisesDuplicates: true,
    random: 0.5,
    ...more,
  });

test.each([
  ['delivered', false, { state: 'delivered', message: 'delivered' }],
  // We had not sent the lead before, so the destination got the lead from another seller.
  ['duplicate', false, { state: 'rejected' }],
  ['duplicate', true, { state: 'delivered' }],
  ['rejected', false, { state: 'rejected', message: 'rejected' }],
  ['failed', false, { state: 'dead', alert: expect.any(String) }],
] as const)(
  'the outcome "%s" decides the next state of the delivery',
  (outcome, mayHaveArrived, expected) => {
    const decision = decideFor(outcome, { mayHaveArrived });
    expect(decision).toMatchObject(expected);
    expect('alert' in decision).toBe('alert' in expected);
  },
);

test.each(['unknown', 'server_error'] as const)(
  'after outcome %s a lead is resent only if the destination recognises duplicates',
  (outcome) => {
    expect(decideFor(outcome)).toMatchObject({ state: 'retrying', pauseMs: 5_000 });
    expect(decideFor(outcome, { recognisesDuplicates: false })).toMatchObject({
      state: 'uncertain',
      alert: expect.any(String),
    });
    expect(decideFor('retry', { recognisesDuplicates: false })).toMatchObject({
      state: 'retrying',
    });
  },
);

test('if the destination refuses our account, the lead waits even after the last attempt', () => {
  const account = { problem: 'it does not take our credentials', settings: ['INGEST_KEY'] };
  const result: SendResult = { outcome: 'account', message: 'ERROR 1002', account, durationMs: 1 };
  expect(decideFor('account', { result, attempt: MAX_ATTEMPTS })).toEqual({
    state: 'waiting',
    pauseMs: 0,
    message: 'Waits: it does not take our credentials',
  });
});

test('if the destination refuses a mapped account, the lead is retried', () => {
  const account = { problem: 'it does not take our credentials', settings: [] };
  const result: SendResult = { outcome: 'account', account, durationMs: 1 };
  const first = decideFor('account', { result });
  expect(first).toMatchObject({
    state: 'retrying',
    alert: expect.stringMatching(/mapping service/),
  });
  const second = decideFor('account', { result, attempt: 2 });
  expect(second.state).toBe('retrying');
  expect(second.alert).toBeUndefined();
});

test('a lead that no attempt could send becomes a dead letter with an alert', () => {
  expect(decideFor('retry', { attempt: MAX_ATTEMPTS })).toMatchObject({
    state: 'dead',
    alert: expect.any(String),
  });
  expect(decideFor('unknown', { attempt: MAX_ATTEMPTS })).toMatchObject({ state: 'dead' });
  expect(decideFor('delivered', { attempt: MAX_ATTEMPTS })).toMatchObject({ state: 'delivered' });
});

test('an alert never contains the destination’s answer', () => {
  for (const outcome of ['failed', 'unknown', 'retry'] as const) {
    const result: SendResult = {
      outcome,
      message: '5125550123',
      response: '5125550123',
      durationMs: 1,
    };
    const { alert } = decideFor(outcome, {
      result,
      attempt: MAX_ATTEMPTS,
      recognisesDuplicates: false,
    });
    expect(alert).toBeDefined();
    expect(alert).not.toContain('5125550123');
  }
});

const HOUR_MS = 60 * 60 * 1000;
const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function total(random: number): number {
  let sum = 0;
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) sum += nextPause({ attempt, random });
  return sum;
}

test('the pauses between the 20 attempts take about 3 days in total', () => {
  expect(MAX_ATTEMPTS).toBe(20);
  expect(total(0) / HOUR_MS).toBeGreaterThan(55);
  expect(total(0.5) / HOUR_MS).toBeGreaterThan(66);
  expect(total(0.999) / HOUR_MS).toBeLessThan(90);
});

test('the pause before the next attempt is at least as long as Retry-After says', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 }),
      fc.integer({ min: 0, max: 10 * 24 * HOUR_MS }),
      anyRandom,
      (attempt, retryAfterMs, random) => {
        const pause = nextPause({ attempt, retryAfterMs, random });
        expect(pause).toBeGreaterThanOrEqual(Math.min(retryAfterMs, 24 * HOUR_MS));
        expect(pause).toBeLessThanOrEqual(24 * HOUR_MS * 1.1);
        expect(pause).toBeGreaterThanOrEqual(4_000);
      },
    ),
  );
});
