import { describe, expect, test } from 'vitest';
import { intervalOf, intervalWords, planShare, pointsText, reachOf } from './interval.ts';

const comparison = (difference: number, halfWidth: number) => ({
  ...{ variant: 'rounded', metric: 'accepted' as const, conclusion: 'undecided' as const },
  difference,
  halfWidth,
});

describe('intervals', () => {
  test('reach the same on both sides of zero, so that zero is their middle', () => {
    expect(reachOf([comparison(0.012, 0.02), comparison(-0.01, 0.03)])).toBe(0.05);
    expect(reachOf([comparison(0, 1)])).toBe(1);
    expect(reachOf([])).toBe(0.01);
  });

  test('are said in percentage points', () => {
    expect(intervalWords(intervalOf(comparison(0.008, 0.016)))).toBe('−0.8 to +2.4 points');
    expect(pointsText(0.0001)).toBe('0.0');
  });

  test('the plan is full at N*', () => {
    expect([0, 2500, 9000].map((visits) => planShare(visits, 5000))).toEqual([0, 0.5, 1]);
  });
});
