import { expect, it, test } from 'vitest';
import { parseSettings, SettingsError } from './settings.ts';
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

test.each<[VariableName, value: string, sentence: string]>([
  ['PORT', '70000', 'PORT is "70000": expected a whole number from 0 to 65535'],
  ['OPERATIONS_PORT', '70000', 'expected a port from 1 to 65535, "auto", or "off"'],
  ['PUBLIC_URL', 'claims.example.com', 'PUBLIC_URL is "claims.example.com": expected an origin'],
  ['PUBLIC_URL', 'https://example.com/path', 'expected an origin'],
  ['PUBLIC_URL', 'https://me:pw@x.example', 'expected an origin'],
  ['ZIP_URL', 'ftp://x.example', 'expected the http or https address'],
  ['TICKET_SCRIPT_URL', 'javascript:alert(1)', '"javascript:alert(1)"'],
  ['TIME_ZONE', 'Mars/Olympus', 'TIME_ZONE is "Mars/Olympus": expected a time zone name'],
  ['DATE_OF_BIRTH_STATES', 'AL,XX', 'expected state codes'],
  ['PHONE_NUMBER', '555-0100', 'expected an American phone number'],
  ['COMPANY_NAME', 'x'.repeat(81), 'expected words of at most 80 characters'],
  ['FORMER_COMPANY_NAMES', 'One||Two', 'expected names of at most 80 characters'],
  ['FALLBACK_BUYER_NAMES', 'One', 'expected two names'],
  ['TRUSTED_PROXIES', 'true', 'Neither "true" (anyone could fake an address)'],
  ['TRUSTED_PROXIES', '10.0.0.1,proxy', 'expected addresses or networks'],
  ['EXPERIMENTS', '{"a":', 'which is not JSON: expected'],
  ['STATE_RULES', '{"XX":[]}', 'in which "XX"'],
  [
    'STATE_RULES',
    '{"CA":[{"decision":"allowed","from":"2026-02-30","reason":"x"}]}',
    'in which "CA.0.from" is not a day such as "2026-08-12"',
  ],
  [
    'STATE_RULES',
    '{"CA":[{"decision":"allowed","reason":" "}]}',
    'in which "CA.0.reason" is empty',
  ],
  [
    'STATE_RULES',
    '{"CA":[{"decision":"prohibited","from":"2026-12-01","until":"2026-11-30","reason":"x"}]}',
    'in which "CA.0" ends before it begins',
  ],
  ['STATE_RULES', '{"CA":[{"decision":"maybe","reason":"x"}]}', 'CA.0.decision'],
  ['STATE_RULES_UNDECIDED', 'ask', 'one of "deliver", "hold"'],
  ['SCRIPT_HOSTS', '{"pixel":{"img-src":["https://a.example/x"]}}', 'SCRIPT_HOSTS is '],
  [
    'COMPENSATION_MULTIPLIERS',
    '{"specific_injury":{"whip":1}}',
    'in which "specific_injury.whip" may not be "whip"',
  ],
])(
  'an invalid %s stops the start with a message that names the setting',
  (name, value, sentence) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toContain(name);
    expect(problems).toContain(sentence);
  },
);

test.each([
  [{ '/survey/none': {} }, '"/survey/none" may not be "/survey/none", but ("/survey/v4nv" | '],
  [{ '/survey/v4': { oferId: 1 } }, 'in which "/survey/v4.oferId" may not be "oferId"'],
  [{ '/survey/v4': { toggles: { rounded: true } } }, 'in which "/survey/v4.toggles.rounded"'],
  [{ '/survey/v4': { offerId: '81' } }, '"/survey/v4.offerId" may not be "81", but number'],
  [{ '/survey/v4': { buyers: 'fetched' } }, '"/survey/v4" has buyers'],
  [
    { '/survey/v4': { thankYouPath: '/survey-thank-yuo/' } },
    '"/survey/v4.thankYouPath" may not be "/survey-thank-yuo/", but ("/survey-thank-you/" | ',
  ],
  [{ '/survey/v4': { offerId: 81.5 } }, '"/survey/v4.offerId" may not be 81.5'],
  [{ '/survey/v4': { destinations: ['igest'] } }, 'names no destination with "igest"'],
  [{ '/survey/v6': { buyers: 'fetched' } }, 'there is no buyers service'],
  [{ '/f': { verifiesPhone: true } }, '"/f" cannot verify phone numbers'],
])(
  'an invalid SURVEY_OVERRIDES stops the start with a message that explains the error',
  (overrides, sentence) => {
    expect(problemsOf({ SURVEY_OVERRIDES: JSON.stringify(overrides) })).toContain(sentence);
  },
);

const on = { surveys: ['/survey/v4nv'] };

test.each([
  [{ button: on }, 'in which "button" may not be "button"'],
  [
    { buttons: { surveys: ['/survey/none'] } },
    '"buttons.surveys.0" may not be "/survey/none", but',
  ],
  [{ buttons: { ...on, weights: { round: 1 } } }, '"buttons.weights.round" may not be "round"'],
  [{ buttons: { ...on, weights: { plain: -1 } } }, '"buttons.weights.plain" may not be -1'],
  [{ buttons: on, theme: on, logo: on }, '/survey/v4nv has 18 variants, more than 16'],
])(
  'an invalid EXPERIMENTS stops the start with a message that explains the error',
  (given, sentence) => {
    expect(problemsOf({ EXPERIMENTS: JSON.stringify(given) })).toContain(sentence);
  },
);

it('the error of parseSettings names every invalid setting', () => {
  expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud' }).split('\n')).toHaveLength(2);
});

const shared = { NODE_ENV: 'production', DATABASE_URL: 'postgres://u@db:5432/leads' };
const copy = { OPERATORS_DATABASE_URL: 'postgres://u@standby:5432/leads' };
const open = { CONSOLE_HOST: '0.0.0.0' };
const proxy = { TRUSTED_PROXIES: '10.0.0.1' };
const https = { CONSOLE_URL: 'https://console.example.com' };
const reachable = 'CONSOLE_HOST is "0.0.0.0", which other machines can reach: name';
const issuer = { CONSOLE_OIDC_ISSUER: 'https://id.example.com' };
const ingest = { INGEST_URL: 'https://api.example.com', INGEST_KEY: 'k-123' };

test.each<[NodeJS.ProcessEnv, sentence: string]>([
  [{ VISITOR_STATE_HEADER: 'x-state' }, 'VISITOR_STATE_HEADER needs TRUSTED_PROXIES'],
  [{ VISITOR_ADDRESS_HEADER: 'x-address' }, 'VISITOR_ADDRESS_HEADER needs TRUSTED_PROXIES'],
  [{ HSTS_SUBDOMAINS: 'on' }, 'needs a PUBLIC_URL that begins with "https:"'],
  [{ CALL_TRACKING: 'ringba' }, 'CALL_TRACKING_SCRIPT_URL is missing'],
  [{ CALL_TRACKING: 'invoca' }, 'CALL_TRACKING_TAG_ID is missing'],
  [{ TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}` }, 'TWILIO_AUTH_TOKEN is missing: SMS codes'],
  [{ PHONE_CHECK_URL: 'https://x.example' }, 'PHONE_CHECK_KEY is missing: phone validation needs'],
  [ingest, 'INGEST_CAMPAIGN_ID is missing'],
  [{ INGEST_CAMPAIGN_ID: '12', INGEST_SUPPLIER_ID: '34' }, 'INGEST_URL is missing'],
  [shared, 'PERSON_KEY_SECRET is missing'],
  [{ ...shared, PERSON_KEY_SECRET: ' ' }, 'PERSON_KEY_SECRET is missing'],
  [copy, 'OPERATORS_DATABASE_URL needs DATABASE_URL'],
  [open, reachable],
  [{ ...open, ...proxy }, reachable],
  [{ ...open, ...https }, reachable],
  [{ ...open, ...proxy, CONSOLE_URL: 'http://console.example.com' }, reachable],
  [issuer, 'CONSOLE_OIDC_CLIENT_SECRET is missing'],
  [{ CONSOLE_OIDC_ISSUER: 'http://id.example.com' }, 'CONSOLE_OIDC_ISSUER is "http:'],
])('incomplete settings stop the start with an explanation', (environment, sentence) => {
  expect(problemsOf(environment)).toContain(sentence);
});

test.each<[NodeJS.ProcessEnv]>([
  [{ ...shared, ...copy, PERSON_KEY_SECRET: 's'.repeat(32) }],
  [{ ...open, ...proxy, ...https }],
  [{ CONSOLE_HOST: '::1' }],
  [{ ...open, CONSOLE_URL: 'http://localhost:3001' }],
  // INGEST_TIMEOUT_MS alone does not turn the ingest service on.
  [{ INGEST_TIMEOUT_MS: '5000' }],
])('parseSettings accepts complete settings', (environment) => {
  expect(problemsOf(environment)).toBe('');
});

test.each<[NodeJS.ProcessEnv, secret: string, message: string]>([
  [
    { DATABASE_URL: 'mysql://user:hunter2@host/db' },
    'hunter2',
    'DATABASE_URL is secret and not shown; it has 28 characters: expected a PostgreSQL address',
  ],
  [
    { PHONE_CHECK_KEY: ' "hunter two" ' },
    'hunter',
    'PHONE_CHECK_KEY is secret and not shown; it has 14 characters: expected the key of the phone',
  ],
])('the error about an invalid secret does not show the secret', (environment, secret, message) => {
  const problems = problemsOf(environment);
  expect(problems).toContain(message);
  expect(problems).not.toContain(secret);
});

it('in production, a survey that verifies phone numbers requires an account for SMS codes', () => {
  const twilio = {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'token-of-the-account',
    TWILIO_VERIFY_SERVICE_SID: `VA${'0'.repeat(32)}`,
  };
  const production = { NODE_ENV: 'production' };
  const SURVEY_OVERRIDES = JSON.stringify({ '/survey/v4': { verifiesPhone: true } });
  expect(parseSettings({ SURVEY_OVERRIDES }).codeSender).toBe('development');
  expect(parseSettings(production).codeSender).toBeUndefined();
  expect(problemsOf({ ...production, SURVEY_OVERRIDES })).toContain(
    '"/survey/v4" verifies phone numbers, but no SMS account is set up: ' +
      'set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_VERIFY_SERVICE_SID',
  );
  const { codeSender } = parseSettings({ ...production, ...twilio, SURVEY_OVERRIDES });
  expect(codeSender).toMatchObject({ authToken: twilio.TWILIO_AUTH_TOKEN, timeoutMs: 5_000 });
});

const secretOf = (buyer: string) => JSON.stringify({ [buyer]: `whsec_${'A'.repeat(32)}` });

test.each(['webhook', 'ingest/jones'])('OUTCOME_SECRETS may not name %s', (name) => {
  const problem = `"${name}" is not a destination that buys leads`;
  expect(problemsOf({ OUTCOME_SECRETS: secretOf(name) })).toContain(problem);
});

const smith = (own: object) => ({ EXTRA_DESTINATIONS: JSON.stringify({ smith: own }) });

test.each([
  [smith({ like: 'exchange' }), 'EXTRA_DESTINATIONS is secret and not shown'],
  [{ EXTRA_DESTINATIONS: '{"A/B":{"like":"ingest"}}' }, 'JSON: the name of each extra account'],
  [smith({ like: 'ingest', INGEST_KAY: 'x' }), 'in "smith", INGEST_KAY is not a setting of ingest'],
  [smith({ like: 'ingest', INGEST_KEY: 'x' }), 'in "smith", INGEST_URL is missing'],
  [smith({ like: 'ingest' }), 'in "smith", INGEST_URL, INGEST_CAMPAIGN_ID'],
])('an invalid EXTRA_DESTINATIONS stops the start', (environment, sentence) => {
  expect(problemsOf(environment)).toContain(sentence);
});

test('EXTRA_DESTINATIONS adds accounts that take missing settings from the environment', () => {
  const INGEST = { INGEST_URL: 'https://lp.example', INGEST_SUPPLIER_ID: '2', INGEST_KEY: 'key' };
  const extra = smith({ like: 'ingest', INGEST_CAMPAIGN_ID: 7, INGEST_KEY: 'other' });
  const OUTCOME_SECRETS = secretOf('ingest/smith');
  const all = { ...INGEST, INGEST_CAMPAIGN_ID: '1', ...extra, OUTCOME_SECRETS };
  const settings = parseSettings(all);
  expect(Object.keys(settings.outcomeSecrets ?? {})).toEqual(['ingest/smith']);
  const { definition, values } = settings.destinations.at(-1) ?? {};
  expect(definition?.name).toBe('ingest/smith');
  expect(values).toMatchObject({ ...INGEST, INGEST_CAMPAIGN_ID: '7', INGEST_KEY: 'other' });
});
