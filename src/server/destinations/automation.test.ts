import { describe, expect, it } from 'vitest';
import { testAcceptLead, testLead } from '../../../tests/support/leads.ts';
import { sandboxForTests } from '../../../tests/support/sandbox-http.ts';
import { prepared, sendRequest } from '../../../tests/support/send-request.ts';
import { type OutgoingAnswer, OutgoingError } from '../providers/outgoing-http.ts';
import { automation } from './automation.ts';

const url = 'https://hooks.example.com/hooks/catch/1/the-secret?token=another';
const values = {
  AUTOMATION_WEBHOOK_URL: url,
  AUTOMATION_TIMEOUT_MS: 5_000,
  BAD_WORDS_STATES: ['NY', 'TX'],
};

describe('which leads are reported', () => {
  const isFor = (fields: Record<string, string>, given: typeof values | undefined = values) =>
    automation.appliesTo(
      { survey: '/survey/v4nv', flow: 'v4', qualified: true, isTest: false, fields },
      given,
    );

  it.each([
    [{ bad_words: 'yes', is_gibberish: 'no', state: 'NY' }, true],
    [{ bad_words: 'yes', state: 'TX' }, true],
    [{ bad_words: 'no', state: 'NY' }, false],
    [{ bad_words: 'yes', is_gibberish: 'yes', state: 'NY' }, false],
    [{ bad_words: 'yes', is_gibberish: 'no', state: 'CA' }, false],
    [{ bad_words: 'yes', is_gibberish: 'no', state: '' }, false],
  ])('%o: %s', (fields, expected) => {
    expect(isFor(fields)).toBe(expected);
  });

  it('are those of every state by default, also without a state', () => {
    expect(automation.variables.BAD_WORDS_STATES?.fallback).toBe('all');
    const all = { ...values, BAD_WORDS_STATES: Array.from({ length: 51 }, () => 'NY') };
    expect(isFor({ bad_words: 'yes', state: '' }, all)).toBe(true);
  });

  it('are none while the webhook is off', () => {
    const lead = { survey: '', flow: '', qualified: true, isTest: false };
    expect(automation.appliesTo({ ...lead, fields: { bad_words: 'yes' } }, undefined)).toBe(false);
  });
});

describe('the payload', () => {
  const fields = { first_name: 'José', lp_subid1: 'abc', lp_s2: '', bad_words: 'yes', email: '' };
  const golden =
    'lead_id=01939999-1111-7111-8111-111111111111&first_name=Jos%C3%A9&bad_words=yes&email=';

  async function send(answer: Partial<OutgoingAnswer> | Error) {
    const calls: unknown[] = [];
    const hook = automation.connect(values, {
      async request(call) {
        calls.push(call);
        if (answer instanceof Error) throw answer;
        return { status: 200, headers: {}, text: '', truncated: false, durationMs: 3, ...answer };
      },
      close: async () => undefined,
    });
    return { calls, result: await prepared(hook, { fields }).send() };
  }

  it('version 1 is exactly these bytes, form-encoded', async () => {
    const { calls } = await send({});
    expect(calls).toEqual([
      {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: golden,
        timeoutMs: 5_000,
      },
    ]);
  });

  it('version 2 also has the fields of the ingest service', () => {
    const hook = automation.connect(values, {
      request: () => Promise.reject(new Error('not called')),
      close: async () => undefined,
    });
    expect(hook.payloadVersion).toBe(2);
    expect(prepared(hook, { fields, payloadVersion: 2 }).body).toBe(
      'lead_id=01939999-1111-7111-8111-111111111111&first_name=Jos%C3%A9&lp_subid1=abc&lp_s2=' +
        '&bad_words=yes&email=',
    );
  });

  it.each([
    [{ status: 200 }, { outcome: 'delivered' }],
    [{ status: 204 }, { outcome: 'delivered' }],
    [
      { status: 429, headers: { 'retry-after': '7' } },
      { outcome: 'retry', retryAfterMs: 7_000 },
    ],
    [{ status: 503 }, { outcome: 'retry' }],
    [{ status: 500 }, { outcome: 'retry' }],
    [{ status: 302, headers: { location: 'http://169.254.169.254/' } }, { outcome: 'retry' }],
    [{ status: 404 }, { outcome: 'failed' }],
    [
      { status: 410, text: 'no /hooks/catch/1/the-secret?token=another' },
      { response: 'no [secret][secret]' },
    ],
  ])('%o: %o', async (answer, expected) => {
    expect((await send(answer)).result).toMatchObject(expected);
  });

  it.each([
    [true, 'unknown'],
    [false, 'retry'],
  ])('a lost answer, may have arrived %s: %s', async (mayHaveArrived, outcome) => {
    const lost = new OutgoingError('lost', { failure: 'timeout', mayHaveArrived, durationMs: 3 });
    expect((await send(lost)).result).toMatchObject({ outcome });
  });

  it('has no other version', () => {
    const hook = automation.connect(values, {
      request: () => Promise.reject(new Error('not called')),
      close: async () => undefined,
    });
    const later = sendRequest({ fields, payloadVersion: 3 });
    expect(hook.prepare(later)).toMatchObject({ outcome: 'failed' });
  });
});

describe('the stand-in', () => {
  const outside = sandboxForTests();

  it('accepts a complete lead', async () => {
    const { post, lead } = testAcceptLead();
    await post(
      testLead({ case_description: 'It was a hit and run, and my neck hurts since then.' }),
    );
    const { id, fields } = lead();
    expect(fields.bad_words).toBe('yes');
    const { sandbox, http } = outside;
    const AUTOMATION_WEBHOOK_URL = sandbox.url + sandbox.credentials.automationPath;
    const hook = automation.connect({ ...values, AUTOMATION_WEBHOOK_URL }, http);
    const sent = await prepared(hook, { leadId: id, fields }).send();
    expect(sent).toMatchObject({ outcome: 'delivered' });
    expect(sandbox.violations()).toEqual([]);
  });
});
