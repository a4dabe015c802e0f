import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OverLimitError, StoreUnavailableError } from '../base/errors.ts';
import { CleanDatabaseError } from './database-error.ts';
import { alertingOfFullDisk, type DiskSpace, isLow, watchDiskSpace } from './disk-space.ts';

const MEGABYTE = 2 ** 20;
const HOUR_MS = 3_600_000;

it.each([
  ['a large disk with half a gigabyte', 100_000, 513, false],
  ['a large disk with less', 100_000, 511, true],
  ['a small disk with more than a tenth', 300, 31, false],
  ['a small disk with less', 300, 29, true],
])('%s', (_, total, free, low) => {
  expect(isLow({ freeBytes: free * MEGABYTE, totalBytes: total * MEGABYTE })).toBe(low);
});

describe('watchDiskSpace', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('alerts once when space is low, then hourly, and again after a recovery', async () => {
    const alerts: unknown[] = [];
    let free = 1_000;
    const watch = watchDiskSpace({
      dir: '/data',
      alert: (text, facts) => alerts.push([text, facts]),
      space: async () => ({ freeBytes: free * MEGABYTE, totalBytes: 100_000 * MEGABYTE }),
      everyMs: 1_000,
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(alerts).toEqual([]);
    free = 7;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(alerts).toEqual([[expect.stringContaining('nearly full'), { freeMegabytes: 7 }]]);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(alerts).toHaveLength(2);
    free = 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
    free = 7;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(alerts).toHaveLength(3);
    watch.stop();
    await vi.advanceTimersByTimeAsync(3 * HOUR_MS);
    expect(alerts).toHaveLength(3);
  });

  it('ignores a disk that it cannot measure', async () => {
    const alerts: unknown[] = [];
    const space = (): Promise<DiskSpace> => Promise.reject(new Error('no such file'));
    const watch = watchDiskSpace({ dir: '/x', alert: (text) => alerts.push(text), space });
    await vi.advanceTimersByTimeAsync(60_000);
    watch.stop();
    expect(alerts).toEqual([]);
  });
});

it('alertingOfFullDisk alerts to a full disk at most once an hour', async () => {
  const alerts: string[] = [];
  let nowMs = 0;
  let error: Error = new OverLimitError('too_many_posts', 1);
  const accept = alertingOfFullDisk(
    async () => {
      throw error;
    },
    (text) => alerts.push(text),
    () => new Date(nowMs),
  );
  const failed = (code: string) =>
    new StoreUnavailableError('x', { cause: new CleanDatabaseError('x', { code }) });
  for (error of [error, failed('53200'), failed('53100'), failed('53100')]) {
    await expect(accept()).rejects.toBe(error);
  }
  expect(alerts).toEqual([expect.stringContaining('is full')]);
  nowMs += HOUR_MS;
  await expect(accept()).rejects.toBe(error);
  expect(alerts).toHaveLength(2);
});
