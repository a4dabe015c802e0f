import { beforeEach, expect, test } from 'vitest';
import { createPostGuard, type PostGuard } from './post-limits.ts';

const one = '01939999-1111-7111-8111-000000000001';
const other = '01939999-1111-7111-8111-000000000002';
let nowMs: number;
let guard: PostGuard;
beforeEach(() => {
  nowMs = 0;
  guard = createPostGuard(() => new Date(nowMs));
});

async function admitted(leadId: string, secret: string | null, times: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n += 1) {
    try {
      await guard.admit(leadId, secret);
      count += 1;
    } catch (error) {
      expect(error).toMatchObject({ name: 'OverLimitError', reason: 'too_many_posts' });
    }
  }
  return count;
}

test('admits thirty posts a minute with one id and secret', async () => {
  expect(await admitted(one, 'a', 40)).toBe(30);
  expect(await admitted(one, 'b', 1)).toBe(1);
  expect(await admitted(one, null, 1)).toBe(1);
  expect(await admitted(other, 'a', 1)).toBe(1);
  nowMs = 59_999;
  expect(await admitted(one, 'a', 1)).toBe(0);
  nowMs = 60_000;
  expect(await admitted(one, 'a', 40)).toBe(30);
});

test('says how long to wait until the minute is over', async () => {
  await admitted(one, 'a', 30);
  nowMs = 45_500;
  await expect(guard.admit(one, 'a')).rejects.toEqual(
    expect.objectContaining({ retryAfterSeconds: 15 }),
  );
});

test('an id closed to disputed posts admits only its owner for ten minutes', async () => {
  guard.closeFor(one, 'owner');
  expect(await admitted(one, 'owner', 1)).toBe(1);
  expect(await admitted(one, 'stranger', 1)).toBe(0);
  expect(await admitted(one, null, 1)).toBe(0);
  await expect(guard.admit(one, null)).rejects.toEqual(
    expect.objectContaining({ retryAfterSeconds: 3_600 }),
  );
  expect(await admitted(other, 'stranger', 1)).toBe(1);
  nowMs = 599_999;
  expect(await admitted(one, 'stranger', 1)).toBe(0);
  nowMs = 600_000;
  expect(await admitted(one, 'stranger', 1)).toBe(1);
});

test('remembers a limited number of ids and drops the oldest', async () => {
  await admitted(one, 'a', 30);
  for (let n = 0; n < 50_000; n += 1) await guard.admit(`id-${n}`, 'a');
  expect(await admitted(one, 'a', 1)).toBe(1);

  expect(await admitted('id-49999', 'a', 40)).toBe(29);
});
