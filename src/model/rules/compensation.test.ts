import { expect, it } from 'vitest';
import {
  compensationAt,
  estimateCompensation,
  INITIAL_COMPENSATION,
  markPosition,
  SLIDER_STEP_BLOCKS,
} from './compensation.ts';

it('markPosition interpolates the position of a value within its band', () => {
  expect(markPosition(2500)).toMatchObject({ level: 1, blocks: 0.5 });
  expect(markPosition(INITIAL_COMPENSATION)).toMatchObject({ level: 1, blocks: 1 });
  expect(markPosition(250_000).blocks).toBe(7);
});

it('markPosition returns the position from which compensationAt computed the value', () => {
  const steps = 7 / SLIDER_STEP_BLOCKS;
  for (let step = 1; step <= steps; step += 1) {
    const [below, here] = [step - 1, step].map((each) => compensationAt(each * SLIDER_STEP_BLOCKS));
    expect(here, `step ${step}`).toBeGreaterThan(below ?? 0);
    expect(Math.round(markPosition(here ?? 0).blocks / SLIDER_STEP_BLOCKS)).toBe(step);
  }
});

it('estimateCompensation starts at 5000 dollars and adds a fraction for each answer', () => {
  const multipliers = { at_Fault: { no: 0.5 }, specific_injury: { Whiplash: 0.1 } };
  expect(estimateCompensation({}, multipliers)).toBe(5000);
  expect(estimateCompensation({ at_Fault: 'no' }, multipliers)).toBe(7500);
  expect(estimateCompensation({ specific_injury: 'Whiplash', at_Fault: 'no' }, multipliers)).toBe(
    8250,
  );
  expect(estimateCompensation({ at_Fault: 'yes' }, multipliers)).toBe(5000);
});
