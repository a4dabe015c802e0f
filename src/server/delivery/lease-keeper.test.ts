import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLeaseKeeper, LEASE_MS, type LeaseKeeper } from './lease-keeper.ts';

let renewals = 0;
let renewed: readonly string[] = [];
let databaseIsAway = false;
let keeper: LeaseKeeper;
beforeEach(() => {
  vi.useFakeTimers();
  renewals = 0;
  databaseIsAway = false;
  keeper = createLeaseKeeper({
    async renew(deliveryIds) {
      if (databaseIsAway) throw new Error('away');
      renewals += 1;
      renewed = deliveryIds;
    },
    log: pino({ level: 'silent' }),
  });
});
afterEach(() => {
  keeper.stop();
  vi.useRealTimers();
});

test('a send may take longer than a lease while the process lives', async () => {
  const lease = keeper.hold('d', performance.now());
  await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
  expect(lease.isLive()).toBe(true);
  expect(lease.signal.aborted).toBe(false);
  expect(renewals).toBeGreaterThan(10);
});

test('when the lease cannot be renewed, the send is ended before it runs out', async () => {
  const lease = keeper.hold('d', performance.now());
  databaseIsAway = true;
  await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
  expect(lease.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(LEASE_MS / 2 - 1_000);
  expect(lease.signal.aborted).toBe(true);
  expect(lease.isLive()).toBe(false);
});

test('a lease that was nearly out when the claim was answered lets no send begin', () => {
  const lease = keeper.hold('d', performance.now() - LEASE_MS);
  expect(lease.isLive()).toBe(false);
});

test('nothing is renewed while nothing is held, nor after the release', async () => {
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(renewals).toBe(0);
  keeper.hold('d', performance.now()).release();
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(renewals).toBe(0);
});

test('what is renewed is what is held', async () => {
  keeper.hold('a', performance.now());
  keeper.hold('b', performance.now()).release();
  keeper.hold('c', performance.now());
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(renewed).toEqual(['a', 'c']);
});

test('a renewal that is answered late does not count from its answer', async () => {
  keeper.stop();
  keeper = createLeaseKeeper({
    renew: () => new Promise((resolve) => setTimeout(resolve, 20_000)),
    log: pino({ level: 'silent' }),
  });
  const lease = keeper.hold('d', performance.now());
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(lease.signal.aborted).toBe(true);
});
