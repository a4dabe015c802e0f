import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compensationAt,
  compensationBand,
  compensationBands,
  INITIAL_COMPENSATION,
  MAX_COMPENSATION,
  markPosition,
  raise,
  STEP_DOLLARS,
} from './compensation.ts';

describe('compensation bands', () => {
  it('join without a gap, from 0 to the maximum', () => {
    expect(compensationBands[0]!.from).toBe(0);
    expect(compensationBands.at(-1)!.to).toBe(MAX_COMPENSATION);
    for (const [index, band] of compensationBands.entries()) {
      expect(band.level).toBe(index + 1);
      if (index > 0) expect(band.from).toBe(compensationBands[index - 1]!.to + 1);
    }
  });

  it.each([
    [0, 1, 'Low Value'],
    [5000, 1, 'Low Value'],
    [5001, 2, 'Low to Mid Value'],
    [12_500, 3, 'Mid Value'],
    [12_501, 4, 'Mid to High Value'],
    [50_000, 5, 'High Value'],
    [100_000, 6, 'Very High Value'],
    [250_000, 7, 'Extremely High Value'],
    [9_999_999, 7, 'Extremely High Value'],
  ])('%i is level %i, %s', (value, level, label) => {
    expect(compensationBand(value)).toMatchObject({ level, label });
  });
});

describe('markPosition', () => {
  it('interpolates within the band', () => {
    expect(markPosition(2500)).toMatchObject({ level: 1, fraction: 0.5, blocks: 0.5 });
    expect(markPosition(INITIAL_COMPENSATION)).toMatchObject({ level: 1, fraction: 1, blocks: 1 });
    expect(markPosition(250_000).blocks).toBe(7);
    expect(markPosition(5000).verticalPx).toBeCloseTo(60.71);
    expect(markPosition(250_000).horizontalPercent).toBe(100);
  });
  it('stands at 249500 above the maximum', () => {
    expect(markPosition(250_001)).toEqual(markPosition(249_500));
    expect(markPosition(Number.POSITIVE_INFINITY)).toEqual(markPosition(249_500));
  });
  it('is within the gauge and grows with the value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: false }), fc.double(), (a, b) => {
        const { fraction, blocks } = markPosition(a);
        expect(fraction).toBeGreaterThanOrEqual(0);
        expect(fraction).toBeLessThanOrEqual(1);
        expect(blocks).toBeLessThanOrEqual(7);
        const [low, high] = a <= b ? [a, b] : [b, a];
        if (high <= MAX_COMPENSATION) {
          expect(markPosition(low).blocks).toBeLessThanOrEqual(markPosition(high).blocks);
        }
      }),
    );
  });
});

describe('compensationAt', () => {
  it.each([
    [0, 500],
    [1, 5000],
    [3.6, 20_000],
    [7, 250_000],
  ])('%s blocks: %s dollars', (blocks, dollars) => {
    expect(compensationAt(blocks)).toBe(dollars);
  });

  it('inverts markPosition to within a step', () => {
    for (let blocks = 1; blocks <= 7; blocks += 0.05) {
      const value = compensationAt(blocks);
      const near = [value - STEP_DOLLARS, value + STEP_DOLLARS].map(
        (each) => markPosition(Math.min(each, MAX_COMPENSATION)).blocks,
      );
      expect(near[0]).toBeLessThanOrEqual(blocks);
      expect(near[1]).toBeGreaterThanOrEqual(Math.min(blocks, 6.99));
    }
  });
});

describe('raise', () => {
  it('adds a fraction, in whole dollars', () => {
    expect(raise(5000, 0.25)).toBe(6250);
    expect(raise(5001, 0.333)).toBe(6666);
    expect(raise(5000, 0)).toBe(5000);
    expect(raise(5000, -1)).toBe(5000);
    expect(raise(5000, Number.NaN)).toBe(5000);
    expect(raise(240_000, 0.5)).toBe(250_000);
    expect(raise(90_000, 0.5, 100_000)).toBe(100_000);
  });
  it('is never above the maximum nor below the value', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: MAX_COMPENSATION }),
        fc.double({ min: 0, max: 10 }),
        (value, fraction) => {
          const raised = raise(value, fraction);
          expect(Number.isInteger(raised)).toBe(true);
          expect(raised).toBeGreaterThanOrEqual(value);
          expect(raised).toBeLessThanOrEqual(MAX_COMPENSATION);
        },
      ),
    );
  });
});
