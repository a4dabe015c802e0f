import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutgoingAnswer } from '../providers/outgoing-http.ts';
import { classifyIngestAnswer } from './ingest-answer.ts';

const now = new Date('2026-07-01T12:00:00Z');
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
  classifyIngestAnswer(answer(...args), now, ['k3y']);

describe('a readable 2xx', () => {
  test('ACCEPTED is delivered, with the id of the service', () => {
    expect(classify(200, { status: 'ACCEPTED', code: 0, message: 'ok', id: 'abc' })).toEqual({
      outcome: 'delivered',
      httpStatus: 200,
      response: '{"status":"ACCEPTED","code":0,"message":"ok","id":"abc"}',
      message: 'ACCEPTED 0: ok',
      externalId: 'abc',
      durationMs: 12,
    });
  });
  test('DUPLICATED is a duplicate', () => {
    expect(classify(200, { status: 'DUPLICATED' }).outcome).toBe('duplicate');
  });
  test('ERROR is a rejection, by code or error_code', () => {
    expect(
      classify(200, { status: 'ERROR', error_code: 1015, message: 'bad phone' }),
    ).toMatchObject({ outcome: 'rejected', code: '1015', message: 'ERROR 1015: bad phone' });
  });
});

test.each([
  ['not JSON', '<html>It works!</html>'],
  ['empty', ''],
  ['an array', [{ status: 'ACCEPTED' }]],
  ['null', 'null'],
  ['no status', { ok: true }],
  ['a status that is no text', { status: 1 }],
  ['an unknown status', { status: 'PENDING' }],
])('a 2xx that cannot be read (%s) is unknown', (_name, body) => {
  expect(classify(200, body).outcome).toBe('unknown');
});

test('a truncated body is not trusted', () => {
  expect(classify(200, { status: 'ACCEPTED' }, { truncated: true }).outcome).toBe('unknown');
});

test.each([408, 425, 429, 503])('%i is retried and respects Retry-After', (status) => {
  const result = classify(status, { status: 'ERROR' }, { headers: { 'retry-after': '90' } });
  expect(result).toMatchObject({ outcome: 'retry', retryAfterMs: 90_000 });
});

test.each([500, 501, 502, 504, 520, 599])('%i may have been taken', (status) => {
  expect(classify(status, { status: 'ERROR', message: 'internal' }).outcome).toBe('server_error');
});

test.each([301, 302, 303, 307, 308, 304])('%i is retried, not followed', (status) => {
  const location = 'http://169.254.169.254/latest/meta-data/?token=k3y';
  const result = classify(status, '', { headers: { location } });
  expect(result.outcome).toBe('retry');
  expect(result.error).toBe(`HTTP ${status}: a redirect to 169.254.169.254, which is not followed`);
});

test.each([400, 403, 404, 410, 413, 422])('%i without a verdict is final', (status) => {
  expect(classify(status, { error: 'no' }).outcome).toBe('failed');
  // ACCEPTED with an error status contradicts itself, so an operator has to look.
  expect(classify(status, { status: 'ACCEPTED' }).outcome).toBe('failed');
});

test('a verdict on the lead also counts with a 4xx', () => {
  expect(classify(422, { status: 'ERROR', code: 1015 }).outcome).toBe('rejected');
  expect(classify(409, { status: 'DUPLICATED' }).outcome).toBe('duplicate');
});

describe('a refusal of our account', () => {
  const reading = { codes: ['1002'], settings: ['INGEST_KEY'] };
  const refused = (status: number, body: unknown) =>
    classifyIngestAnswer(answer(status, body), now, ['k3y'], reading);

  test.each([
    ['Error: invalid campaign credentials', 'it does not take our credentials'],
    ['Unauthorized', 'it does not take our credentials'],
    ['Invalid API key', 'it does not take our credentials'],
    ['Campaign 77 is closed', 'the campaign, supplier or account is closed'],
    ['Supplier not active', 'the campaign, supplier or account is closed'],
    ['Daily cap reached', 'its cap is reached'],
    ['Campaign over lead cap', 'its cap is reached'],
  ])('is recognised by its message: %s', (message, problem) => {
    expect(refused(200, { status: 'ERROR', code: 7, message })).toMatchObject({
      outcome: 'account',
      message: `ERROR 7: ${message}`,
      account: { problem: `${problem} (ERROR 7)`, settings: ['INGEST_KEY'] },
    });
  });
  test('is recognised by a configured code, whatever the message', () => {
    expect(refused(200, { status: 'ERROR', error_code: 1002, message: 'no' })).toMatchObject({
      outcome: 'account',
      account: { problem: 'it refuses our account (ERROR 1002)' },
    });
  });
  test.each([401, 402])('is recognised by HTTP %i, with and without a verdict', (status) => {
    const account = { problem: `it refuses our account (HTTP ${status})` };
    expect(refused(status, 'no')).toMatchObject({ outcome: 'account', account });
    expect(refused(status, { status: 'ERROR' })).toMatchObject({ outcome: 'account', account });
  });
  test.each([
    'Error: lead failed validation: case_description: my credentials',
    'Duplicate lead, cap reached',
    'The account of the accident is too short',
    'bad phone',
  ])('is not recognised in a message about the lead: %s', (message) => {
    expect(refused(200, { status: 'ERROR', code: 1015, message }).outcome).toBe('rejected');
  });
  test('is reported in our own words, without personal data from the service', () => {
    const message = 'invalid campaign credentials for ana@example.com, (512) 555-0123';
    const { account } = refused(200, { status: 'ERROR', code: 'ana@example.com', message });
    expect(account?.problem).toBe('it does not take our credentials');
  });
});

test('recorded answers contain no secrets', () => {
  const result = classify(200, { status: 'ERROR', message: 'key k3y is wrong', id: 'k3y' });
  expect(JSON.stringify(result)).not.toContain('k3y');
});

test('any answer is classified; only a readable 2xx with ACCEPTED is delivered', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 200, max: 599 }),
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.record({
          status: fc.constantFrom('ACCEPTED', 'DUPLICATED', 'ERROR', 'x', 1, null),
          code: fc.jsonValue(),
          message: fc.jsonValue(),
          id: fc.jsonValue(),
        }),
      ),
      fc.string(),
      (status, body, retryAfter) => {
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        const result = classify(status, text, { headers: { 'retry-after': retryAfter } });
        const isAccepted =
          status < 300 && typeof body === 'object' && body !== null && body.status === 'ACCEPTED';
        if (typeof body === 'object') {
          expect(result.outcome === 'delivered').toBe(isAccepted);
        }
        expect(result.httpStatus).toBe(status);
        expect(result.response).not.toContain('\u0000');
      },
    ),
  );
});
