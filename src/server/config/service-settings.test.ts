import { describe, expect, it } from 'vitest';
import { parseSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

function problemsOf(environment: NodeJS.ProcessEnv): string {
  try {
    parseSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

describe('SMS codes', () => {
  const twilio = {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token-of-the-account',
    TWILIO_VERIFY_SERVICE_SID: `VA${'0'.repeat(32)}`,
  };
  const verifying = JSON.stringify({ '/survey/v4': { verifiesPhone: true } });

  it('are logged without an account, and sent with one', () => {
    expect(parseSettings({}).settings.codeSender).toBe('development');
    expect(parseSettings({ SURVEY_OVERRIDES: verifying }).settings.codeSender).toBe('development');
    expect(parseSettings({ ...twilio, NODE_ENV: 'production' }).settings.codeSender).toEqual({
      baseUrl: 'https://verify.twilio.com',
      accountSid: twilio.TWILIO_ACCOUNT_SID,
      authToken: twilio.TWILIO_AUTH_TOKEN,
      serviceSid: twilio.TWILIO_VERIFY_SERVICE_SID,
      timeoutMs: 5_000,
    });
  });

  it('need an account in production only if a survey verifies phone numbers', () => {
    const production = { NODE_ENV: 'production' };
    expect(parseSettings(production).settings.codeSender).toBeUndefined();
    expect(problemsOf({ ...production, SURVEY_OVERRIDES: verifying })).toContain(
      '"/survey/v4" verifies phone numbers, but no SMS account is set up: ' +
        'set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_VERIFY_SERVICE_SID',
    );
    expect(problemsOf({ ...production, ...twilio, SURVEY_OVERRIDES: verifying })).toBe('');
  });

  it('need the complete account or nothing', () => {
    const { TWILIO_AUTH_TOKEN: _, ...half } = twilio;
    expect(problemsOf(half)).toContain('TWILIO_AUTH_TOKEN is missing: SMS codes need all of');
    const wrong = problemsOf({ ...twilio, TWILIO_AUTH_TOKEN: 'a b' });
    expect(wrong).toBe(
      'TWILIO_AUTH_TOKEN is secret and not shown; it has 3 characters, with white space inside: ' +
        'expected the auth token of the Twilio account',
    );
  });

  it('are refused for a flow without a number to verify', () => {
    for (const path of ['/f', '/benefits']) {
      const overrides = JSON.stringify({ [path]: { verifiesPhone: true } });
      expect(problemsOf({ SURVEY_OVERRIDES: overrides })).toContain(
        `"${path}" cannot verify phone numbers`,
      );
    }
  });

  it('have the default limits of the specification', () => {
    expect(parseSettings({}).settings.phoneCodeLimits).toEqual({
      sendsPerNumber: 3,
      sendsPerAddress: 10,
      sendsPerVisit: 6,
      sends: 500,
      triesPerNumber: 5,
      triesPerVisit: 10,
    });
  });
});
