import { describe, expect, test } from 'vitest';
import type { OutgoingAnswer } from '../../platform/outgoing-http.ts';
import { classifyIngestAnswer } from './ingest-answer.ts';

const answer = (
  status: number,
  body: unknown,
  more: Partial<OutgoingAnswer> = {},
): OutgoingAnswer => ({
  status,
  headers: {},
  text: typeof body === 'string' ? body : JSON.stringify(body),
  truncated: false,
  durationMs: 12,
  ...more,
});
const classify = (...args: Parameters<typeof answer>) =>
  classifyIngestAnswer(answer(...args), ['k3y']);

describe('a readable answer', () => {
  test('has the outcome "delivered" if the status in the body is ACCEPTED', () => {
    expect(classify(200, { status: 'ACCEPTED', code: 0, message: 'ok', id: 'abc' })).toEqual({
      outcome: 'delivered',
      httpStatus: 200,
      response: '{"status":"ACCEPTED","code":0,"message":"ok","id":"abc"}',
      message: 'ACCEPTED 0: ok',
      externalId: 'abc',
      durationMs: 12,
    });
  });
  test('has the outcome that the body implies, even if the HTTP status is 4xx', () => {
    for (const status of [200, 409]) {
      expect(classify(status, { status: 'DUPLICATED' }).outcome).toBe('duplicate');
      expect(
        classify(status, { status: 'ERROR', error_code: 1015, message: 'bad phone' }),
      ).toMatchObject({ outcome: 'rejected', code: '1015', message: 'ERROR 1015: bad phone' });
    }
  });
});

test.each([
  [{ price: '145.00' }, 145],
  [{ price: 99.5 }, 99.5],
  [{ payout: '$12.5' }, 12.5],
  [{ price: 0 }, undefined],
  [{ price: '1e9' }, undefined],
  [{ price: { amount: 3 } }, undefined],
])('the answer %j names the price %s', (price, expected) => {
  expect(classify(200, { status: 'ACCEPTED', ...price }).price).toBe(expected);
});

test.each([
  ['not JSON', '<html>It works!</html>'],
  ['empty', ''],
  ['null', 'null'],
  ['a status that is no text', { status: 1 }],
  ['an unknown status', { status: 'PENDING' }],
])('an unreadable 2xx answer has the outcome "unknown"', (_name, body) => {
  expect(classify(200, body).outcome).toBe('unknown');
});

test('a truncated answer has the outcome "unknown"', () => {
  expect(classify(200, { status: 'ACCEPTED' }, { truncated: true }).outcome).toBe('unknown');
});

test.each([
  ['retry', [408, 425, 429, 503, 301, 302, 307, 308, 304]],
  ['server_error', [500, 501, 502, 504, 520, 599]],
  ['failed', [400, 403, 404, 410, 413, 422]],
] as const)(
  'an HTTP error status decides the outcome, even if the body says ACCEPTED',
  (outcome, statuses) => {
    for (const status of statuses) {
      expect(classify(status, { status: 'ACCEPTED' }).outcome, String(status)).toBe(outcome);
    }
  },
);

test('the result contains the pause in Retry-After or says that there was a redirect', () => {
  const later = { headers: { 'retry-after': '90' } };
  expect(classify(503, '', later)).toMatchObject({ retryAfterMs: 90_000 });
  const location = 'http://169.254.169.254/latest/meta-data/?token=k3y';
  const { error } = classify(302, '', { headers: { location } });
  expect(error).toBe('HTTP 302: a redirect, which is not followed');
});

describe('a refusal of our account', () => {
  const reading = { codes: ['1002'], settings: ['INGEST_KEY'] };
  const refused = (status: number, body: unknown) =>
    classifyIngestAnswer(answer(status, body), ['k3y'], reading);

  test.each([
    ['Error: invalid campaign credentials', 'it does not take our credentials'],
    ['Invalid API key', 'it does not take our credentials'],
    ['Campaign 77 is closed', 'the campaign, supplier or account is closed'],
    ['Daily cap reached', 'its cap is reached'],
  ])('is recognised by the message "%s"', (message, problem) => {
    expect(refused(200, { status: 'ERROR', code: 7, message })).toMatchObject({
      outcome: 'account',
      message: `ERROR 7: ${message}`,
      account: { problem: `${problem} (ERROR 7)`, settings: ['INGEST_KEY'] },
    });
  });
  test('is recognised by a configured code, HTTP 401 or HTTP 402', () => {
    const problemOf = (status: number, body: unknown) => refused(status, body).account?.problem;
    const verdict = { status: 'ERROR', error_code: 1002, message: 'no' };
    expect(problemOf(200, verdict)).toBe('it refuses our account (ERROR 1002)');
    for (const status of [401, 402]) {
      for (const body of ['no', { status: 'ERROR' }]) {
        expect(problemOf(status, body)).toBe(`it refuses our account (HTTP ${status})`);
      }
    }
  });
  test.each([
    'Error: lead failed validation: case_description: my credentials',
    'Duplicate lead, cap reached',
    'The account of the accident is too short',
  ])('is not inferred from the message "%s", which is about the lead', (message) => {
    expect(refused(200, { status: 'ERROR', code: 1015, message }).outcome).toBe('rejected');
  });
  test('is explained in our own words, without the message of the service', () => {
    const message = 'invalid campaign credentials for ana@example.com, (512) 555-0123';
    const { account } = refused(200, { status: 'ERROR', code: 'ana@example.com', message });
    expect(account?.problem).toBe('it does not take our credentials');
  });
});

test('the stored answer of the ingest service contains no secrets', () => {
  const result = classify(200, { status: 'ERROR', message: 'key k3y is wrong', id: 'k3y' });
  expect(JSON.stringify(result)).not.toContain('k3y');
});
