import { expect, test } from 'vitest';
import { excerpt, MAX_EXCERPT_LENGTH, retryAfterMs } from './outgoing-answer.ts';

test('Retry-After may be seconds or a date', () => {
  const now = new Date('2026-07-01T12:00:00Z');
  expect(retryAfterMs('120', now)).toBe(120_000);
  expect(retryAfterMs(' 0 ', now)).toBe(0);
  expect(retryAfterMs('Wed, 01 Jul 2026 12:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterMs('Wed, 01 Jul 2026 11:00:00 GMT', now)).toBe(0);
  for (const bad of [undefined, '', 'soon', '-5', '1.5', '99999999999']) {
    expect(retryAfterMs(bad, now)).toBeUndefined();
  }
});

test('an excerpt is short, on one line and without secrets', () => {
  expect(excerpt('a\n\u0000b\u001b[31m key=k3y; k3y', ['k3y', ''])).toBe(
    'a b [31m key=[secret]; [secret]',
  );
  const long = excerpt('x'.repeat(5_000));
  expect(long.length).toBe(MAX_EXCERPT_LENGTH);
  expect(long.endsWith('…')).toBe(true);
});
