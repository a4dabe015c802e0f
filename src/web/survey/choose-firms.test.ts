import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendChoice } from './choose-firms.ts';

const part = { lead_id: 'a', selected_buyers: '50002' };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test.each<[string, startMs: number, answerMs: number, answer: boolean, isInTime: boolean]>([
  ['is in time if the server confirms it before the lead is sent', 590_000, 9_000, true, true],
  [
    'is late if the server has not confirmed it when the lead is sent',
    590_000,
    11_000,
    true,
    false,
  ],
  ['is late if the visitor makes it after the lead is sent', 700_000, 0, true, false],
  ['is late if the server refuses it', 590_000, 0, false, false],
])(
  'a choice of law firms on the thank-you page %s',
  async (_, startMs, answerMs, answer, isInTime) => {
    vi.setSystemTime(startMs);
    const settled = new Promise<boolean>((resolve) => setTimeout(resolve, answerMs, answer));
    const amend = vi.fn(async () => ({ stored: true, settled }));
    const sending = sendChoice({ amend }, part, { secret: 'secret', until: 600_000 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await sending).toBe(isInTime);
    expect(amend).toHaveBeenCalledExactlyOnceWith(part, 'secret');
  },
);
