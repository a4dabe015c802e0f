import { describe, expect, it, vi } from 'vitest';
import { isLow, watchDiskSpace } from './disk-space.ts';
import type { Jobs, Turn } from './jobs.ts';

const MEGABYTE = 2 ** 20;
const HOUR_MS = 3_600_000;

it.each([
  ['a large disk with more than 512 MiB free', 100_000, 513, false],
  ['a large disk with less than 512 MiB free', 100_000, 511, true],
  ['a small disk with more than a tenth', 300, 31, false],
  ['a small disk with less', 300, 29, true],
])('%s', (_, total, free, low) => {
  expect(isLow({ freeBytes: free * MEGABYTE, totalBytes: total * MEGABYTE })).toBe(low);
});

describe('watchDiskSpace', () => {
  /** Returns the job that watches a disk. The test runs it. */
  function diskJob(
    options: Omit<Parameters<typeof watchDiskSpace>[1], 'dir'>,
  ): () => Promise<unknown> {
    const start = vi.fn<Jobs['start']>();
    watchDiskSpace({ start } as unknown as Jobs, { dir: '/data', ...options });
    const [job] = start.mock.calls[0] ?? [];
    return async () => job?.run({} as Turn);
  }

  it('alerts once when space is low, then hourly, and again after a recovery', async () => {
    const alerts: unknown[] = [];
    let [free, nowMs] = [1_000, 0];
    const look = diskJob({
      alert: (text, facts) => alerts.push([text, facts]),
      space: async () => ({ freeBytes: free * MEGABYTE, totalBytes: 100_000 * MEGABYTE }),
      now: () => new Date(nowMs),
    });
    await look();
    expect(alerts).toEqual([]);
    free = 7;
    await look();
    await look();
    expect(alerts).toEqual([[expect.stringContaining('nearly full'), { freeMegabytes: 7 }]]);
    nowMs += HOUR_MS;
    await look();
    expect(alerts).toHaveLength(2);
    free = 1_000;
    await look();
    free = 7;
    await look();
    expect(alerts).toHaveLength(3);
  });
});
