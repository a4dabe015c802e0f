import { describe, expect, it } from 'vitest';
import { prepared } from '../../../tests/support/send-request.ts';
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
});

describe('the payload', () => {
  const fields = { first_name: 'José', lp_subid1: 'abc', lp_s2: '', bad_words: 'yes', email: '' };
  const calls: unknown[] = [];
  const hook = automation.connect(values, {
    async request(call) {
      calls.push(call);
      const text = 'no /hooks/catch/1/the-secret?token=another';
      return { status: 410, headers: {}, text, truncated: false, durationMs: 3 };
    },
    close: async () => undefined,
  });

  it('version 1 is exactly these bytes, form-encoded; the answer is recorded without secrets', async () => {
    const result = await prepared(hook, { fields }).send();
    expect(calls).toEqual([
      {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'lead_id=01939999-1111-7111-8111-111111111111&first_name=Jos%C3%A9&bad_words=yes&email=',
        timeoutMs: 5_000,
      },
    ]);
    expect(result).toMatchObject({ outcome: 'failed', response: 'no [secret][secret]' });
  });

  it('version 2 also has the fields of the ingest service', () => {
    expect(hook.payloadVersion).toBe(2);
    expect(prepared(hook, { fields, payloadVersion: 2 }).body).toBe(
      'lead_id=01939999-1111-7111-8111-111111111111&first_name=Jos%C3%A9&lp_subid1=abc&lp_s2=' +
        '&bad_words=yes&email=',
    );
  });
});
