/** What the settings refuse, and how the message explains it. */
import { describe, expect, it, test } from 'vitest';
import { parseSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';
import type { VariableName } from './variables.ts';

function problemsOf(environment: NodeJS.ProcessEnv): string {
  try {
    parseSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

const notLoaded = '"javascript:alert(1)"';

test.each<[VariableName, value: string, sentence: string]>([
  ['PORT', '70000', 'PORT is "70000": expected a whole number from 0 to 65535'],
  ['PORT', '80a', 'PORT is "80a": expected a whole number'],
  ['OPERATIONS_PORT', '70000', 'expected a port from 1 to 65535, "auto", or "off"'],
  ['OPERATIONS_PORT', 'on', 'OPERATIONS_PORT is "on": expected a port'],
  ['OPERATIONS_HOST', 'a b', 'OPERATIONS_HOST is "a b": expected the address'],
  ['PUBLIC_URL', 'claims.example.com', 'which has no "https://" before the host: expected the'],
  ['PUBLIC_URL', 'https://example.com/path', 'which has "/path" after the host: expected'],
  ['PUBLIC_URL', 'https://x.example/?a=1', 'which has "/?a=1" after the host'],
  ['PUBLIC_URL', 'ftp://x.example', 'whose scheme is "ftp:"'],
  ['PUBLIC_URL', 'https://me:pw@x.example', 'which has a user name or password in it'],
  ['ZIP_URL', 'zip.example/us', 'which has no "https://" before the host'],
  ['ZIP_URL', '??', 'which is not a web address'],
  ['PARTNER_URL', 'javascript:alert(1)', 'which is not a web address'],
  ['TICKET_SCRIPT_URL', 'javascript:alert(1)', notLoaded],
  ['AD_PIXEL_SCRIPT_URL', 'javascript:alert(1)', notLoaded],
  ['CLICK_TRACKER_URL', 'javascript:alert(1)', notLoaded],
  ['TRUSTEDFORM_SCRIPT_URL', 'javascript:alert(1)', notLoaded],
  ['LEADID_SCRIPT_URL', 'javascript:alert(1)', notLoaded],
  ['CALL_TRACKING_SCRIPT_URL', 'javascript:alert(1)', notLoaded],
  ['PREFILL_URL', 'javascript:alert(1)', notLoaded],
  ['CLICK_TRACKER_BY', 'both', 'CLICK_TRACKER_BY is "both"'],
  ['TIME_ZONE', 'Mars/Olympus', 'TIME_ZONE is "Mars/Olympus": expected a time zone name'],
  ['LIMITATION_TABLE', 'future', 'is "future": expected one of "coded", "present"'],
  ['DATE_OF_BIRTH_STATES', 'AL,XX', 'in which "XX" is not a state code: expected state codes'],
  ['SPECIAL_STATES', 'NY,QQ', 'in which "QQ" is not a state code'],
  ['PHONE_NUMBER', '555-0100', 'which has 7 digits: expected an American phone number'],
  ['PHONE_NUMBER', '(123) 456-7890', 'whose area code begins with 1'],
  ['COMPANY_NAME', 'x'.repeat(81), 'which has 81 characters'],
  ['FORMER_COMPANY_NAMES', 'One||Two', 'in which a name is empty or longer than 80'],
  ['FORMER_COMPANY_NAMES', '|', 'in which a name is empty or longer than 80'],
  ['FORMER_COMPANY_NAMES', 'x'.repeat(81), 'in which a name is empty or longer than 80'],
  ['FALLBACK_BUYER_NAMES', 'One', 'in which the number of names is 1'],
  ['TRUSTED_PROXIES', 'true', 'Neither "true" (anyone could fake an address)'],
  ['TRUSTED_PROXIES', '1', 'nor a number'],
  ['TRUSTED_PROXIES', '10.0.0.0/0', 'in which "10.0.0.0/0" is not an address or network'],
  ['TRUSTED_PROXIES', '10.0.0.1,proxy', 'in which "proxy" is not an address or network'],
  ['VISITOR_STATE_HEADER', 'a b', 'is "a b": expected the name of a header'],
  ['VISITOR_STATE_HEADER', 'x-state', 'VISITOR_STATE_HEADER needs TRUSTED_PROXIES'],
  ['VISITOR_ADDRESS_HEADER', 'x-address', 'VISITOR_ADDRESS_HEADER needs TRUSTED_PROXIES'],
  ['HSTS_SUBDOMAINS', 'on', 'needs a PUBLIC_URL that begins with "https:"'],
  ['EXPERIMENTS', '{"a":', 'which is not JSON ('],
  ['SCRIPT_HOSTS', '{"pixle":{"img-src":["https://a.example"]}}', '"pixle" may not be "pixle"'],
  ['SCRIPT_HOSTS', '{"pixel":{"style-src":["https://a.example"]}}', 'SCRIPT_HOSTS is '],
  ['SCRIPT_HOSTS', '{"pixel":{"img-src":["https://a.example/x"]}}', 'SCRIPT_HOSTS is '],
  ['SCRIPT_HOSTS', '{"pixel":{"img-src":["*"]}}', '"pixel.img-src.0" is "*", which is not'],
  ['COMPENSATION_MULTIPLIERS', '{', 'COMPENSATION_MULTIPLIERS is '],
  ['COMPENSATION_MULTIPLIERS', '{"specific_injury":1}', 'COMPENSATION_MULTIPLIERS is '],
  ['COMPENSATION_MULTIPLIERS', '{"nothing":{"yes":1}}', '"nothing" is not a field'],
  ['COMPENSATION_MULTIPLIERS', '{"email":{"a@b.example":1}}', '"email" is not a field'],
  ['COMPENSATION_MULTIPLIERS', '{"specific_injury":{"whip":1}}', '"whip" is not an answer of'],
  ['COMPENSATION_MULTIPLIERS', '{"specific_injury":{"Whiplash":-1}}', 'COMPENSATION_MULTIPLIERS'],
  ['CALL_TRACKING', 'ringba', 'CALL_TRACKING_SCRIPT_URL is missing'],
  ['CALL_TRACKING', 'invoca', 'CALL_TRACKING_TAG_ID is missing'],
  ['TWILIO_ACCOUNT_SID', `AC${'0'.repeat(32)}`, 'TWILIO_AUTH_TOKEN is missing: SMS codes need'],
])('%s=%s stops the start: %s', (name, value, sentence) => {
  const problems = problemsOf({ [name]: value });
  expect(problems).toContain(name);
  expect(problems).toContain(sentence);
});

test.each([
  ['{', 'SURVEY_OVERRIDES is "{", which is not JSON ('],
  [{ '/survey/none': {} }, 'there is no survey "/survey/none"'],
  [{ '/survey/v4': { oferId: 1 } }, 'column "oferId"'],
  [{ '/survey/v4': { toggles: { rounded: true } } }, 'toggles.rounded'],
  [{ '/survey/v4': { offerId: '81' } }, 'column "offerId"'],
  [{ '/survey/v4': { buyers: 'fetched' } }, '"/survey/v4" has buyers'],
  [{ '/survey/v6': { flow: 'v4' } }, '"/survey/v6" has buyers'],
  [
    { '/survey/v4': { thankYouPath: '/survey-thank-yuo/' } },
    'has no thank-you page "/survey-thank-yuo/"; there are /survey-thank-you/, ',
  ],
  [{ '/survey/v4': { thankYouPath: '/ticket-thank-you' } }, 'no thank-you page'],
  [{ '/survey/v6': { buyers: 'fetched' } }, 'there is no buyers service'],
  [{ '/survey/v6': { buyers: 'acme' } }, 'column "buyers" is unknown or not'],
  [{ '/survey/v4': { theme: 'night' } }, '"theme" is unknown or not ("default" | "harbor"'],
  [
    { '/survey/v4': { logo: 'gavel' } },
    '"logo" is unknown or not ("road" | "wheel" | "arch" | "marker" | "word")',
  ],
  [
    { '/survey/v4': { progress: 'clock' } },
    '"progress" is unknown or not ("stages" | "bar" | "percent" | "dots")',
  ],
  [{ '/f': { verifiesPhone: true } }, '"/f" cannot verify phone numbers'],
  [{ '/benefits': { verifiesPhone: true } }, '"/benefits" cannot verify phone numbers'],
])('SURVEY_OVERRIDES=%j stops the start: %s', (overrides, sentence) => {
  const given = typeof overrides === 'string' ? overrides : JSON.stringify(overrides);
  expect(problemsOf({ SURVEY_OVERRIDES: given })).toContain(sentence);
});

it('every bad setting is reported', () => {
  expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud' }).split('\n')).toHaveLength(2);
});

test.each([undefined, ' '])(
  'a shared database in production needs PERSON_KEY_SECRET (%j)',
  (secret) => {
    const shared = { NODE_ENV: 'production', DATABASE_URL: 'postgres://u@db:5432/leads' };
    expect(problemsOf({ ...shared, PERSON_KEY_SECRET: secret })).toContain(
      'PERSON_KEY_SECRET is missing',
    );
    expect(problemsOf({ ...shared, PERSON_KEY_SECRET: 's'.repeat(32) })).toBe('');
  },
);

it('a copy of the database needs the database', () => {
  const copy = { OPERATORS_DATABASE_URL: 'postgres://u@standby:5432/leads' };
  expect(problemsOf(copy)).toContain('OPERATORS_DATABASE_URL needs DATABASE_URL');
  expect(problemsOf({ ...copy, DATABASE_URL: 'postgres://u@db:5432/leads' })).toBe('');
});

describe('a secret is never shown', () => {
  test.each<[NodeJS.ProcessEnv, secret: string, message: string]>([
    [
      { DATABASE_URL: 'mysql://user:hunter2@host/db' },
      'hunter2',
      'DATABASE_URL is secret and not shown; it has 28 characters: expected a PostgreSQL address',
    ],
    [
      { PHONE_CHECK_KEY: ' "hunter two" ' },
      'hunter',
      'PHONE_CHECK_KEY is secret and not shown; it has 14 characters, with white space at an end and ' +
        'white space inside: expected the key of the phone validation service',
    ],
    [
      { TWILIO_AUTH_TOKEN: 'a b' },
      'a b',
      'TWILIO_AUTH_TOKEN is secret and not shown; it has 3 characters, with white space inside: ' +
        'expected the auth token of the Twilio account',
    ],
  ])('%j', (environment, secret, message) => {
    const problems = problemsOf(environment);
    expect(problems).toContain(message);
    expect(problems).not.toContain(secret);
  });
});

it.each(['PHONE_CHECK', 'EMAIL_CHECK'])('%s needs an address and a key', (name) => {
  const whole = { [`${name}_URL`]: 'https://checks.example', [`${name}_KEY`]: 'key-1' };
  const { phone, email } = parseSettings(whole).settings.checks;
  expect(phone ?? email).toMatchObject({ baseUrl: 'https://checks.example', key: 'key-1' });
  expect(problemsOf({ ...whole, [`${name}_KEY`]: '' })).toContain(`${name}_KEY is missing`);
  expect(problemsOf({ ...whole, [`${name}_URL`]: '' })).toContain(`${name}_URL is missing`);
  const refused = problemsOf({ ...whole, [`${name}_KEY`]: 'two words' });
  expect(refused).toContain(`${name}_KEY is secret`);
  expect(refused).not.toContain('is missing');
});

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
});

describe('the ingest service', () => {
  const ingest = {
    INGEST_URL: 'https://api.example.com',
    INGEST_CAMPAIGN_ID: '12',
    INGEST_SUPPLIER_ID: '34',
    INGEST_KEY: 'k-123',
  };

  it.each(Object.keys(ingest))('needs all or none of its settings: %s', (name) => {
    expect(problemsOf({ ...ingest, [name]: '' })).toContain(`${name} is missing`);
    const alone = problemsOf({ [name]: ingest[name as keyof typeof ingest] }).split('\n');
    const missing = Object.keys(ingest).filter((each) => each !== name);
    expect(alone.map((problem) => problem.split(' ', 1)[0])).toEqual(missing);
  });
});
