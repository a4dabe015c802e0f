import { expect, test } from 'vitest';
import { partsOf, slicesBetween } from './consent-facts.ts';

test('partsOf omits parts that were not completely in view', () => {
  const inView = (...parts: [from: number, to: number][]) =>
    partsOf(parts.reduce((slices, part) => slices | slicesBetween(...part), 0));
  expect(inView([0, 100])).toEqual([0, 100]);
  expect(inView([0.3, 99.8])).toEqual([0, 100]);
  expect(inView([3, 12])).toEqual([5, 10]);
  expect(inView([0, 40], [75, 100])).toEqual([0, 40, 75, 100]);
  expect(inView([0, 40], [30, 60])).toEqual([0, 60]);
  expect(inView([101, 99])).toEqual([]);
});
