import { beforeEach, expect, test } from 'vitest';
import { createPostGuard, type PostGuard } from './post-guard.ts';

const one = '01939999-1111-7111-8111-000000000001';
const other = '01939999-1111-7111-8111-000000000002';
let nowMs: number;
let guard: PostGuard;
beforeEach(() => {
  nowMs = 0;
  guard = createPostGuard(() => new Date(nowMs));
});

function admitted(leadId: string, secret: string | null, times: number): number {
  let count = 0;
  for (let n = 0; n < times; n += 1) {
    try {
      guard.admit(leadId, secret);
      count += 1;
    } catch (error) {
      expect(error).toMatchObject({ name: 'OverLimitError', reason: 'too_many_posts' });
    }
  }
  return count;
}

test('admits thirty posts a minute with one id and secret', () => {
  expect(admitted(one, 'a', 40)).toBe(30);
  expect(admitted(one, 'b', 1)).toBe(1);
  expect(admitted(one, null, 1)).toBe(1);
  expect(admitted(other, 'a', 1)).toBe(1);
  nowMs = 59_999;
  expect(admitted(one, 'a', 1)).toBe(0);
  nowMs = 60_000;
  expect(admitted(one, 'a', 40)).toBe(30);
});

test('says how long to wait until the minute is over', () => {
  admitted(one, 'a', 30);
  nowMs = 45_500;
  expect(() => guard.admit(one, 'a')).toThrow(expect.objectContaining({ retryAfterSeconds: 15 }));
});

test('an id closed to disputed posts admits only its owner for ten minutes', () => {
  guard.closeFor(one, 'owner');
  expect(admitted(one, 'owner', 1)).toBe(1);
  expect(admitted(one, 'stranger', 1)).toBe(0);
  expect(admitted(one, null, 1)).toBe(0);
  expect(() => guard.admit(one, null)).toThrow(
    expect.objectContaining({ retryAfterSeconds: 3_600 }),
  );
  expect(admitted(other, 'stranger', 1)).toBe(1);
  nowMs = 599_999;
  expect(admitted(one, 'stranger', 1)).toBe(0);
  nowMs = 600_000;
  expect(admitted(one, 'stranger', 1)).toBe(1);
});

test('a closed id without a secret has no owner', () => {
  guard.closeFor(one, null);
  expect(admitted(one, null, 1)).toBe(0);
  expect(admitted(one, 'anybody', 1)).toBe(0);
});

test('remembers a limited number of ids and drops the oldest', () => {
  admitted(one, 'a', 30);
  for (let n = 0; n < 50_000; n += 1) guard.admit(`id-${n}`, 'a');
  expect(admitted(one, 'a', 1)).toBe(1);

  expect(admitted('id-49999', 'a', 40)).toBe(29);
});
