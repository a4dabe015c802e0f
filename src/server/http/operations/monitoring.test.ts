import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DestinationHealth, destinationState, troublesOf } from '../../delivery/health.ts';
import { shareReads } from './monitoring.ts';

const found = [
  { destination: 'ingest', waiting: 1, retrying: 0, sending: 0, oldestDueSeconds: 2 },
] as const;
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a read of the open deliveries', () => {
  it('is shared for five seconds, then repeated', async () => {
    const read = vi.fn(async () => found);
    const look = shareReads(read);
    expect(await Promise.all([look(), look(), look()])).toEqual([found, found, found]);
    vi.advanceTimersByTime(4_900);
    await look();
    expect(read).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(200);
    await look();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('delays callers by at most a second if it hangs, and is not started twice', async () => {
    const read = vi.fn(never);
    const look = shareReads(read);
    for (let asked = 0; asked < 3; asked += 1) {
      const asking = look();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await asking).toBeUndefined();
      vi.advanceTimersByTime(10_000);
    }
    expect(read).toHaveBeenCalledOnce();
  });
});

describe('a destination in trouble', () => {
  const well: DestinationHealth = {
    destination: 'ingest',
    failures: 0,
    lastFailure: null,
    oldestWaitSeconds: 0,
    offAt: null,
    pausedAt: null,
    pausedBy: null,
    pauseReason: null,
    isFailingTold: false,
    isWaitingTold: false,
    isExpiringTold: false,
    oldestOpenAt: null,
  };
  const at = new Date('2026-07-01T12:00:00Z');
  it.each([
    [{ failures: 3, oldestWaitSeconds: 900 }, 'on', []],
    [{ offAt: at }, 'off', ['Deliveries wait for ingest, which has no settings.']],
    [
      { pausedAt: at, pauseReason: 'a cap of the account is reached.', isFailingTold: true },
      'paused',
      ['ingest is paused: a cap of the account is reached.'],
    ],
    [
      { failures: 7, lastFailure: 'HTTP 500', isFailingTold: true },
      'failing',
      ['The last 7 sends to ingest failed: HTTP 500.'],
    ],
    [
      { isWaitingTold: true, oldestWaitSeconds: 725 },
      'failing',
      ['The oldest lead to ingest has waited for 12 minutes.'],
    ],
  ] as const)('with %o has the state %s and its warnings', (changes, state, troubles) => {
    const health = { ...well, ...changes };
    expect(destinationState(health)).toBe(state);
    expect(troublesOf({ ...found[0], health })).toEqual(troubles);
  });
});
