import { expect, test, vi } from 'vitest';
import type { Asked, LeadCheck } from './ask.ts';
import { createAskOnce } from './ask-once.ts';

const lead = { leadId: 'lead', secretSha256: 'secret' };

function asking(ask: () => Promise<Asked<string>>) {
  const kept = new Map<string, unknown>();
  const recorded: LeadCheck[] = [];
  const asked = vi.fn(ask);
  const askOnce = createAskOnce<string>({
    service: 'gibberish',
    ask: asked,
    answers: {
      recall: async (_, key) => kept.get(key),
      keep: (_, key, answer) => void kept.set(key, answer),
    },
    record: (check) => void recorded.push(check),
    now: () => new Date(0),
    summary: (is_gibberish) => ({ is_gibberish }),
  });
  return { askOnce, asked, kept, recorded };
}

test('a value is asked about once, even by concurrent visitors', async () => {
  const { askOnce, asked, recorded } = asking(async () => ({
    outcome: 'answered',
    said: 'no',
    durationMs: 5,
  }));
  expect(await Promise.all([askOnce('a text', lead), askOnce('a text')])).toEqual(['no', 'no']);
  expect(await askOnce('a text', lead)).toBe('no');
  expect(asked).toHaveBeenCalledTimes(1);
  expect(recorded.map(({ outcome }) => outcome)).toEqual(['answered', 'remembered']);
  await askOnce('another text');
  expect(asked).toHaveBeenCalledTimes(2);
});

test('a failure is recorded and not cached', async () => {
  const { askOnce, asked, kept, recorded } = asking(async () => ({
    outcome: 'timed_out',
    durationMs: 5,
  }));
  expect(await askOnce('a text', lead)).toBeUndefined();
  expect(await askOnce('a text', lead)).toBeUndefined();
  expect(asked).toHaveBeenCalledTimes(2);
  expect(kept.size).toBe(0);
  expect(recorded).toMatchObject([{ outcome: 'timed_out', said: undefined }, {}]);
});
