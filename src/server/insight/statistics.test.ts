import { describe, expect, it } from 'vitest';
import type { ExperimentArm } from '../../model/messages/console/numbers.ts';
import { judgeExperiment } from './experiments.ts';
import { medianSeconds } from './funnel.ts';
import { compareShares, isMismatched } from './statistics.ts';

it('compareShares returns the difference of two shares and the margin of error', () => {
  const { difference, halfWidth } = compareShares(
    { part: 600, of: 2_500 },
    { part: 500, of: 2_500 },
    0.05,
  );
  expect(difference).toBeCloseTo(0.04, 12);
  expect(halfWidth).toBeCloseTo(0.0355, 3);
});

it.each([
  [[500, 520], [1, 1], false],
  [[5_000, 5_400], [1, 1], true],
  [[500, 1_010], [1, 2], false],
  [[1_000, 1_000, 1_150], [1, 1, 1], true],
])('isMismatched detects visit counts that contradict the weights', (visits, weights, mismatch) => {
  expect(isMismatched(visits, weights)).toBe(mismatch);
});

describe('An experiment', () => {
  const arm = (variant: string, visits: number, accepted: number): ExperimentArm => ({
    variant,
    weight: 1,
    visits,
    accepted,
    money: { revenue: 0, cost: 0, margin: 0, returned: 0 },
  });
  const judge = (...arms: ExperimentArm[]) => judgeExperiment('buttons', arms);
  const verdicts = (...arms: ExperimentArm[]) => judge(...arms).arms.map(({ verdict }) => verdict);

  it('gets the verdict `keep` if a variant has clearly more accepted leads', () => {
    expect(judge(arm('plain', 0, 0), arm('rounded', 0, 0)).summary).toMatch(/^No visit/);
    const open = [arm('plain', 1_000, 200), arm('rounded', 1_000, 220)];
    expect(judge(...open).summary).toBe('Not enough visitors yet (2000).');
    expect(verdicts(...open)).toEqual(['base', 'wait']);
    const won = [arm('plain', 9_000, 1_800), arm('rounded', 9_000, 2_160)];
    expect(verdicts(...won)).toEqual(['base', 'keep']);
    expect(judge(...won).summary).toMatch(/^Keep rounded: /);
    expect(verdicts(arm('plain', 9_000, 2_160), arm('rounded', 9_000, 1_800))[1]).toBe('stop');
  });

  it('gets no verdict if the visits are not distributed by the weights', () => {
    const skewed = [arm('plain', 9_000, 1_800), arm('rounded', 8_000, 2_160)];
    expect(judge(...skewed)).toMatchObject({ isMismatch: true });
    expect(judge(...skewed).summary).toMatch(/^Nothing can be concluded/);
    expect(verdicts(...skewed)[1]).toBe('wait');
  });
});

it.each<[number[], number[], number | null]>([
  [[3, 4], [0, 0], null],
  [[3, 9], [0, 1], 2],
  // Half of these durations are about 10 s, so the median is 10 s.
  [[7, 50], [13, 50], 10],
])('medianSeconds returns the median of a histogram', (one, other, median) => {
  expect(medianSeconds([one, other] as [number, number][])).toBe(median);
});
