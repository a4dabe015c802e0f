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

test('the lease of a long send is renewed', async () => {
  const lease = keeper.hold('d', performance.now());
  await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
  expect(lease.isLive()).toBe(true);
  expect(lease.signal.aborted).toBe(false);
  expect(renewals).toBeGreaterThan(10);
});

test('a send is aborted before its lease expires if the renewal fails', async () => {
  const lease = keeper.hold('d', performance.now());
  databaseIsAway = true;
  await vi.advanceTimersByTimeAsync(LEASE_MS / 2);
  expect(lease.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(LEASE_MS / 2 - 1_000);
  expect(lease.signal.aborted).toBe(true);
  expect(lease.isLive()).toBe(false);
});

test('a lease is not live if it expires before the lease statement returns', () => {
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
