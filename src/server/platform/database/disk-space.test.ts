import { expect, it } from 'vitest';
import { isLow } from './disk-space.ts';

const MEGABYTE = 2 ** 20;

it.each([
  ['a large disk with more than 512 MiB free has enough space', 100_000, 513, false],
  ['a large disk with less than 512 MiB free has too little space', 100_000, 511, true],
  ['a small disk with more than a tenth free has enough space', 300, 31, false],
  ['a small disk with less than a tenth free has too little space', 300, 29, true],
])('isLow returns whether too little of the disk is free', (_, total, free, low) => {
  expect(isLow({ freeBytes: free * MEGABYTE, totalBytes: total * MEGABYTE })).toBe(low);
});
