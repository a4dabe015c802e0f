import { expect, test } from 'vitest';
import {
  excerpt,
  failureReason,
  MAX_EXCERPT_LENGTH,
  retryAfterMs,
  withoutPersons,
} from './outgoing-answer.ts';

test('a Retry-After header is read as seconds or as a date', () => {
  const now = new Date('2026-07-01T12:00:00Z');
  expect(retryAfterMs('120', now)).toBe(120_000);
  expect(retryAfterMs(' 0 ', now)).toBe(0);
  expect(retryAfterMs('Wed, 01 Jul 2026 12:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterMs('Wed, 01 Jul 2026 11:00:00 GMT', now)).toBe(0);
  for (const bad of [undefined, '', 'soon', '-5', '1.5', '99999999999']) {
    expect(retryAfterMs(bad, now)).toBeUndefined();
  }
});

test('an excerpt of an answer is short, on one line and without secrets', () => {
  expect(excerpt('a\n\u0000b\u001b[31m key=k3y; k3y', ['k3y', ''])).toBe(
    'a b [31m key=[secret]; [secret]',
  );
  const long = excerpt('x'.repeat(5_000));
  expect(long.length).toBe(MAX_EXCERPT_LENGTH);
  expect(long.endsWith('…')).toBe(true);
});

const answer = (body: unknown, status = 200) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, text, headers: {}, truncated: false, durationMs: 1 };
};
const sent = { path: '/api', headers: { 'ipqs-key': 'k-123-secret' } };

test.each([
  [{ message: 'Invalid or unauthorized key.' }, 'HTTP 401: Invalid or unauthorized key.'],
  [{ error: 'Not allowed' }, 'HTTP 401: Not allowed'],
  [{ error: { message: 'Not allowed' } }, 'HTTP 401: Not allowed'],
  [{ errors: ['first', 'second'] }, 'HTTP 401: first; second'],
  [{ title: 'Forbidden', detail: 'No such account' }, 'HTTP 401: No such account'],
  ['<html>', 'HTTP 401'],
  [{ message: 7 }, 'HTTP 401'],
])('failureReason explains a failed answer by status and message', (body, reason) => {
  expect(failureReason(answer(body, 401), sent)).toBe(reason);
});

test('failureReason returns no values from the request’s body, URL or keys', () => {
  const message =
    'last_name Sandoval at 10.0.0.1 (zip 90210, k-123-secret) may not call +1 212 555 0101';
  const body = JSON.stringify({ data: [{ last_name: 'Sandoval' }], ip: '10.0.0.1' });
  const reason = failureReason(answer({ message }, 422), { ...sent, path: '/us/90210', body });
  expect(reason).toMatch(/^HTTP 422: last_name \[removed\] at /);
  for (const value of ['Sandoval', '90210', 'k-123', '10.0.0.1', '555']) {
    expect(reason).not.toContain(value);
  }
  const ofForm = { ...sent, body: 'To=%2B12125550101&Code=123456' };
  expect(failureReason(answer({ message: 'Code 123456 is wrong' }, 400), ofForm)).toBe(
    'HTTP 400: Code [removed] is wrong',
  );
});

test('e-mail addresses and phone numbers are removed from any text', () => {
  expect(withoutPersons('ana@mail.example or (212) 555-0101')).toBe('[removed] or ([removed]');
});
