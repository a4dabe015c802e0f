import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { choicePart, sendChoice } from './choose-firms.ts';

const part = choicePart(
  {
    lead_id: 'a',
    secret: 'secret',
    survey: '/survey/v6',
    language: 'en',
    tcpa: 'I agree.',
    version: '2026-11-21',
    firms: [['Diaz Law', '50002']],
    sentAt: 0,
  },
  ['50002'],
  { shownAt: 1, now: 2 },
);
const end = { secret: 'secret', until: 600_000 };

/** A browser queue from which the server has the choice when `confirm` is called. */
function testQueue() {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const amend = vi.fn(async () => ({ stored: true, settled: promise }));
  return { amend, confirm: resolve };
}

beforeEach(() => vi.useFakeTimers({ now: 590_000 }));
afterEach(() => vi.useRealTimers());

test('a choice that the server confirms while the lead waits is in time', async () => {
  const { amend, confirm } = testQueue();
  const isInTime = sendChoice({ amend }, part, end);
  await vi.advanceTimersByTimeAsync(9_000);
  confirm(true);
  expect(await isInTime).toBe(true);
  expect(amend).toHaveBeenCalledExactlyOnceWith(part, 'secret');
});

test('a choice that the server does not have when the lead goes is late', async () => {
  const { amend } = testQueue();
  const isInTime = sendChoice({ amend }, part, end);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await isInTime).toBe(false);
});

test('a choice of after that time is sent all the same, and late', async () => {
  vi.setSystemTime(700_000);
  const { amend, confirm } = testQueue();
  confirm(true);
  expect(await sendChoice({ amend }, part, end)).toBe(false);
  expect(amend).toHaveBeenCalledOnce();
});

test('a choice that the server refuses promises no call', async () => {
  const { amend, confirm } = testQueue();
  confirm(false);
  expect(await sendChoice({ amend }, part, end)).toBe(false);
});
