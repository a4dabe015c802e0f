import { describe, expect, it } from 'vitest';
import { createAddressLimit } from './address-limit.ts';

const HOUR_MS = 3_600_000;

function limited(perHour: number) {
  let nowMs = 0;
  const limit = createAddressLimit(perHour, () => new Date(nowMs));
  return {
    limit,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('the leads of one address', () => {
  it('exceed the limit with the first above it, each address by itself', () => {
    const { limit } = limited(2);
    expect(['a', 'a', 'b', 'a', 'b'].map(limit.exceeds)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  it('start anew after an hour', () => {
    const { limit, pass } = limited(1);
    limit.exceeds('a');
    pass(HOUR_MS - 1);
    expect(limit.exceeds('a')).toBe(true);
    pass(1);
    expect(limit.exceeds('a')).toBe(false);
  });

  it('do not count when given back', () => {
    const { limit } = limited(1);
    limit.exceeds('a');
    limit.giveBack('a');
    expect(limit.exceeds('a')).toBe(false);
  });

  it('are reported once a window', () => {
    let reports = 0;
    let nowMs = 0;
    const limit = createAddressLimit(
      1,
      () => new Date(nowMs),
      () => {
        reports += 1;
      },
    );
    for (const at of [0, 1, 2, HOUR_MS, HOUR_MS + 1]) {
      nowMs = at;
      limit.exceeds('a');
    }
    expect(reports).toBe(2);
  });

  it('are not limited by 0', () => {
    const { limit } = limited(0);
    expect(Array.from({ length: 100 }, () => limit.exceeds('a'))).not.toContain(true);
  });

  it('forget the oldest addresses, so that rotating ones do not fill the memory', () => {
    const { limit } = limited(1);
    limit.exceeds('first');
    for (let i = 0; i < 100_000; i += 1) limit.exceeds(`bot-${i}`);
    expect(limit.exceeds('first')).toBe(false);
    expect(limit.exceeds('bot-99999')).toBe(true);
  });
});
