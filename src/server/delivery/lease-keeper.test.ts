import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLeaseKeeper, LEASE_MS, type LeaseKeeper } from './lease-keeper.ts';

let renewals = 0;
let databaseIsAway = false;
let keeper: LeaseKeeper;
beforeEach(() => {
  vi.useFakeTimers();
  renewals = 0;
  databaseIsAway = false;
  keeper = createLeaseKeeper({
    async renew() {
      if (databaseIsAway) throw new Error('away');
      renewals += 1;
    },
    log: pino({ level: 'silent' }),
  });
});
afterEach(() => {
  keeper.stop();
  vi.useRealTimers();
});

test('the lease of a delivery is renewed while the delivery is being sent', async () => {
  const lease = keeper.hold('d', performance.now());
  await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
  expect(lease.isLive()).toBe(true);
  expect(lease.signal.aborted).toBe(false);
  expect(renewals).toBeGreaterThan(10);
});

test('if the lease cannot be renewed, sending is aborted before the lease expires', async () => {
  const lease = keeper.hold('d', performance.now());
  databaseIsAway = true;
  await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
  expect(lease.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(LEASE_MS / 2 - 1_000);
  expect(lease.signal.aborted).toBe(true);
  expect(lease.isLive()).toBe(false);
});

test('a lease that expires before the lease statement returns is not live', () => {
  const lease = keeper.hold('d', performance.now() - LEASE_MS);
  expect(lease.isLive()).toBe(false);
});

test('the duration of a renewed lease starts when the renewal is sent', async () => {
  keeper.stop();
  keeper = createLeaseKeeper({
    renew: () => new Promise((resolve) => setTimeout(resolve, 20_000)),
    log: pino({ level: 'silent' }),
  });
  const lease = keeper.hold('d', performance.now());
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(lease.signal.aborted).toBe(true);
});
