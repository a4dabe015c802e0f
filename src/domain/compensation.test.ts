import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compensationAt,
  compensationBand,
  INITIAL_COMPENSATION,
  MAX_COMPENSATION,
  markPosition,
  raise,
  SLIDER_STEP_BLOCKS,
} from './compensation.ts';

it('a value above the maximum is in the last band', () => {
  expect(compensationBand(9_999_999).level).toBe(7);
});

describe('markPosition', () => {
  it('interpolates within the band', () => {
    expect(markPosition(2500)).toMatchObject({ level: 1, fraction: 0.5, blocks: 0.5 });
    expect(markPosition(INITIAL_COMPENSATION)).toMatchObject({ level: 1, fraction: 1, blocks: 1 });
    expect(markPosition(250_000).blocks).toBe(7);
    expect(markPosition(5000).verticalPx).toBeCloseTo(60.71);
    expect(markPosition(250_000).horizontalPercent).toBe(100);
  });
  it('stands at 249500 for an infinite value', () => {
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
    [0, 100],
    [1, 5000],
    [3.6, 20_000],
    [7, 250_000],
  ])('%s blocks: %s dollars', (blocks, dollars) => {
    expect(compensationAt(blocks)).toBe(dollars);
  });

  it('changes with each step of the slider, from where the last one put its knob', () => {
    const steps = 7 / SLIDER_STEP_BLOCKS;
    for (let step = 1; step <= steps; step += 1) {
      const [below, here] = [step - 1, step].map((each) =>
        compensationAt(each * SLIDER_STEP_BLOCKS),
      );
      expect(here, `step ${step}`).toBeGreaterThan(below ?? 0);
      // The browser puts the knob on the step that is nearest to the amount.
      expect(Math.round(markPosition(here ?? 0).blocks / SLIDER_STEP_BLOCKS)).toBe(step);
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
