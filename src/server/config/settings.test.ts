import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { compensationMultipliers } from '../../domain/compensation-estimate.ts';
import {
  optional,
  optionalSecret,
  serviceAddress,
  text,
  type Variable,
  wholeNumber,
} from '../base/variable.ts';
import { type DestinationDefinition, defineDestination } from '../destinations/destination.ts';
import { destinations } from '../destinations/index.ts';
import { ingest as ingestDefinition } from '../destinations/ingest.ts';
import { parseSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';
import { variables } from './variables.ts';

function problemsOf(
  environment: NodeJS.ProcessEnv,
  definitions?: readonly DestinationDefinition[],
): string {
  try {
    parseSettings(environment, definitions);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

const ingest = {
  INGEST_URL: 'https://api.example.com',
  INGEST_CAMPAIGN_ID: '12',
  INGEST_SUPPLIER_ID: '34',
  INGEST_KEY: 'k-123',
};

describe('defaults', () => {
  const { settings, warnings } = parseSettings({});

  it('start a local server with the embedded database and no third party', () => {
    expect(settings).toMatchObject({
      port: 3000,
      host: 'localhost',
      dataDir: path.resolve('./data'),
      databaseUrl: undefined,
      publicUrl: undefined,
      hstsSubdomains: false,
      trustedProxies: [],
      timeZone: 'America/New_York',
      destinations: destinations.map((definition) => ({ definition, values: undefined })),
      allowsPrivateNetworks: false,
    });
    expect(warnings).toEqual([]);
  });

  it('serve operators on loopback, on a port derived from the site’s', () => {
    const operationsOf = (env: NodeJS.ProcessEnv) => parseSettings(env).settings.operations;
    expect(operationsOf({})).toEqual({ host: '127.0.0.1', port: 13_000 });
    expect(operationsOf({ PORT: '60000' })?.port).toBe(50_000);
    // Like the site's port 0, a free port, so that servers of parallel tests don't collide.
    expect(operationsOf({ PORT: '0' })?.port).toBe(0);
    expect(operationsOf({ PORT: '0', OPERATIONS_PORT: '9464' })?.port).toBe(9_464);
    expect(operationsOf({ OPERATIONS_HOST: '10.0.0.5' })?.host).toBe('10.0.0.5');
    for (const off of ['off', '0']) expect(operationsOf({ OPERATIONS_PORT: off })).toBeUndefined();
  });

  it('match the specification’s rules', () => {
    expect(settings.site).toMatchObject({
      phoneDisplay: '(800) 555-0100',
      phoneHref: 'tel:+18005550100',
      descriptionLimit: 1000,
      partnerUrl: '',
      limitation: 'coded',
      dateOfBirthStates: ['AL', 'NE'],
    });
    expect(settings.site.partialFaultStates).toHaveLength(46);
    for (const state of ['AL', 'DC', 'MD', 'NC', 'VA']) {
      expect(settings.site.partialFaultStates).not.toContain(state);
    }
    expect(settings.specialStates).toBeUndefined();
    expect(settings.site.partnerClosedStates).toBeUndefined();
  });
});

describe('scripts of third parties and prefilling', () => {
  it('are off by default', () => {
    const { site, prefill } = parseSettings({}).settings;
    expect(prefill).toBeUndefined();
    expect(site.prefill).toBe(false);
    const { moreHosts, ...scripts } = site.scripts;
    expect(moreHosts).toEqual({});
    expect(new Set(Object.values(scripts))).toEqual(new Set(['']));
  });

  it('are on once their addresses are set', () => {
    const { site, prefill } = parseSettings({
      PREFILL_URL: 'https://pre.example',
      PREFILL_PERCENTAGE: '40',
      PIXEL_SCRIPT_URL: 'https://pixel.example/p.js',
      CASE_WORTH_FACEBOOK_SCRIPT_URL: 'https://ads.example/f.js',
    }).settings;
    expect(prefill).toEqual({ baseUrl: 'https://pre.example', percentage: 40, timeoutMs: 1000 });
    expect(site.prefill).toBe(true);
    expect(site.scripts).toMatchObject({
      pixel: 'https://pixel.example/p.js',
      caseWorthFacebook: 'https://ads.example/f.js',
    });
  });

  it('create the click in the page or on the server', () => {
    const click = (by?: string) =>
      parseSettings({ CLICK_TRACKER_URL: 'https://clk.example/', CLICK_TRACKER_BY: by }).settings
        .site.scripts.click;
    expect(click()).toEqual({ baseUrl: 'https://clk.example', by: 'page', timeoutMs: 5000 });
    expect(click('server')).toMatchObject({ by: 'server' });
    expect(problemsOf({ CLICK_TRACKER_BY: 'both' })).toContain('CLICK_TRACKER_BY is "both"');
  });

  it('track calls with one of three vendors, and optionally with a separate pool for facebook', () => {
    const callTracking = (settings: NodeJS.ProcessEnv) =>
      parseSettings({ CALL_TRACKING_SCRIPT_URL: 'https://calls.example/s.js', ...settings })
        .settings.site.scripts.callTracking;
    const src = 'https://calls.example/s.js';
    expect(callTracking({})).toBeUndefined();
    expect(callTracking({ CALL_TRACKING: 'ringba' })).toEqual({
      vendor: 'ringba',
      numbers: { src },
    });
    const facebookSrc = 'https://calls.example/f.js';
    expect(
      callTracking({ CALL_TRACKING: 'callrail', CALL_TRACKING_FACEBOOK_SCRIPT_URL: facebookSrc }),
    ).toMatchObject({ numbers: { src }, facebook: { src: facebookSrc } });
    expect(
      callTracking({
        CALL_TRACKING: 'invoca',
        CALL_TRACKING_TAG_ID: '1/2',
        CALL_TRACKING_FACEBOOK_TAG_ID: '1/3',
      }),
    ).toMatchObject({ numbers: { src, tagId: '1/2' }, facebook: { src, tagId: '1/3' } });
  });

  it.each([
    [{ CALL_TRACKING: 'ringba' }, 'CALL_TRACKING_SCRIPT_URL is missing'],
    [
      { CALL_TRACKING: 'invoca', CALL_TRACKING_SCRIPT_URL: 'https://c.example/i.js' },
      'CALL_TRACKING_TAG_ID is missing',
    ],
    [{ SCRIPT_HOSTS: '{"pixel":{"style-src":["https://a.example"]}}' }, 'SCRIPT_HOSTS is '],
    [{ SCRIPT_HOSTS: '{"pixle":{"img-src":["https://a.example"]}}' }, 'SCRIPT_HOSTS is '],
    [{ SCRIPT_HOSTS: '{"pixel":{"img-src":["https://a.example/x"]}}' }, 'SCRIPT_HOSTS is '],
    [{ SCRIPT_HOSTS: '{"pixel":{"img-src":["*"]}}' }, 'SCRIPT_HOSTS is '],
  ])('%j: %s', (settings, problem) => {
    expect(problemsOf(settings)).toContain(problem);
  });

  it('may load from more hosts', () => {
    const SCRIPT_HOSTS = '{"pixel":{"img-src":["https://a.example"]}}';
    expect(parseSettings({ SCRIPT_HOSTS }).settings.site.scripts.moreHosts).toEqual({
      pixel: { 'img-src': ['https://a.example'] },
    });
  });

  it.each([
    'TICKET_SCRIPT_URL',
    'AD_PIXEL_SCRIPT_URL',
    'CLICK_TRACKER_URL',
    'TRUSTEDFORM_SCRIPT_URL',
    'LEADID_SCRIPT_URL',
    'CALL_TRACKING_SCRIPT_URL',
    'PREFILL_URL',
  ])('%s must be an address', (name) => {
    expect(problemsOf({ [name]: 'javascript:alert(1)' })).toContain(`${name} is `);
  });
});

describe('the compensation estimate', () => {
  it('is our own by default, with the default table', () => {
    const { estimate, site } = parseSettings({}).settings;
    expect(estimate).toBeUndefined();
    expect(site.compensationMultipliers).toEqual(compensationMultipliers);
  });

  it('replaces single answers of the table', () => {
    const { site } = parseSettings({
      COMPENSATION_MULTIPLIERS: '{"specific_injury":{"Whiplash":0},"hit_and_run":{"yes":0.1}}',
    }).settings;
    expect(site.compensationMultipliers).toEqual({
      ...compensationMultipliers,
      specific_injury: { ...compensationMultipliers.specific_injury, Whiplash: 0 },
      hit_and_run: { yes: 0.1 },
    });
  });

  it.each([
    '{',
    '{"specific_injury":1}',
    '{"no_such_field":{"yes":1}}',
    '{"specific_injury":{"whiplash":1}}',
    '{"specific_injury":{"Whiplash":-1}}',
    '{"email":{"a@b.example":1}}',
  ])('refuses %s', (table) => {
    expect(problemsOf({ COMPENSATION_MULTIPLIERS: table })).toContain(
      'COMPENSATION_MULTIPLIERS is ',
    );
  });
});

describe('a bad setting', () => {
  it.each([
    ['PORT', '70000', 'PORT is "70000": expected a whole number from 0 to 65535'],
    ['PORT', '80a', 'PORT is "80a": expected a whole number'],
    [
      'OPERATIONS_PORT',
      '70000',
      'OPERATIONS_PORT is "70000": expected a port from 1 to 65535, "auto", or "off"',
    ],
    ['OPERATIONS_PORT', 'on', 'OPERATIONS_PORT is "on": expected a port'],
    ['OPERATIONS_HOST', 'a b', 'OPERATIONS_HOST is "a b": expected the address'],
    [
      'PUBLIC_URL',
      'claims.example.com',
      'PUBLIC_URL is "claims.example.com", which has no "https://" before the host: expected the address that visitors see',
    ],
    ['PUBLIC_URL', 'https://example.com/path', 'which has "/path" after the host: expected'],
    ['TIME_ZONE', 'Mars/Olympus', 'TIME_ZONE is "Mars/Olympus": expected a time zone name'],
    [
      'LIMITATION_TABLE',
      'future',
      'LIMITATION_TABLE is "future": expected one of "coded", "present"',
    ],
    [
      'DATE_OF_BIRTH_STATES',
      'AL,XX',
      'DATE_OF_BIRTH_STATES is "AL,XX", in which "XX" is not a state code: expected state codes',
    ],
    [
      'PHONE_NUMBER',
      '555-0100',
      'PHONE_NUMBER is "555-0100", which has 7 digits: expected an American phone number',
    ],
    ['TRUSTED_PROXIES', 'true', 'Neither "true" (anyone could fake an address)'],
    ['TRUSTED_PROXIES', '1', 'nor a number'],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/0',
      'TRUSTED_PROXIES is "10.0.0.0/0", in which "10.0.0.0/0" is not an address or network',
    ],
    ['SURVEY_OVERRIDES', '{', 'SURVEY_OVERRIDES is "{", which is not JSON ('],
    ['SURVEY_OVERRIDES', '{"/survey/none":{}}', 'there is no survey "/survey/none"'],
    ['SURVEY_OVERRIDES', '{"/survey/v4":{"oferId":1}}', 'column "oferId"'],
    ['SURVEY_OVERRIDES', '{"/survey/v4":{"toggles":{"rounded":true}}}', 'toggles.rounded'],
    ['SURVEY_OVERRIDES', '{"/survey/v4":{"offerId":"81"}}', 'column "offerId"'],
    ['SURVEY_OVERRIDES', '{"/survey/v4":{"buyers":"fetched"}}', '"/survey/v4" has buyers'],
    ['SURVEY_OVERRIDES', '{"/survey/v6":{"flow":"v4"}}', '"/survey/v6" has buyers'],
    [
      'SURVEY_OVERRIDES',
      '{"/survey/v4":{"thankYouPath":"/survey-thank-yuo/"}}',
      'has no thank-you page "/survey-thank-yuo/"; there are /survey-thank-you/, ',
    ],
    [
      'SURVEY_OVERRIDES',
      '{"/survey/v4":{"thankYouPath":"/ticket-thank-you"}}',
      'no thank-you page',
    ],
    ['SURVEY_OVERRIDES', '{"/survey/v6":{"buyers":"fetched"}}', 'there is no buyers service'],
    ['SURVEY_OVERRIDES', '{"/survey/v6":{"buyers":"acme"}}', 'column "buyers" is unknown or not'],
    [
      'SURVEY_OVERRIDES',
      '{"/survey/v4":{"theme":"night"}}',
      'column "theme" is unknown or not ("default" | "harbor"',
    ],
    [
      'SURVEY_OVERRIDES',
      '{"/survey/v4":{"logo":"gavel"}}',
      'column "logo" is unknown or not ("road" | "wheel" | "arch" | "marker" | "word")',
    ],
    [
      'SURVEY_OVERRIDES',
      '{"/survey/v4":{"progress":"clock"}}',
      'column "progress" is unknown or not ("stages" | "bar" | "percent" | "dots")',
    ],
  ])('%s=%s stops the start and is explained', (name, value, sentence) => {
    expect(problemsOf({ [name]: value })).toContain(sentence);
  });

  it('is not shown if it is secret', () => {
    const message = problemsOf({ DATABASE_URL: 'mysql://user:hunter2@host/db' });
    expect(message).toContain(
      'DATABASE_URL is secret and not shown; it has 28 characters: expected a PostgreSQL address',
    );
    expect(message).not.toContain('hunter2');
    expect(problemsOf({ ...ingest, INGEST_KEY: 'two words' })).not.toContain('two words');
  });

  it('does not hide other bad settings', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud' }).split('\n')).toHaveLength(2);
  });
});

test.each([undefined, ' '])(
  'a shared database in production needs PERSON_KEY_SECRET (%j)',
  (secret) => {
    const shared = { NODE_ENV: 'production', DATABASE_URL: 'postgres://u@db:5432/leads' };
    expect(problemsOf({ ...shared, PERSON_KEY_SECRET: secret })).toContain(
      'PERSON_KEY_SECRET is missing',
    );
    const given = { PERSON_KEY_SECRET: 's'.repeat(32) };
    expect(parseSettings({ ...shared, ...given }).settings.personKeySecret).toBe('s'.repeat(32));
  },
);

test('the pages know whether leads with the opt-out signal are withheld', () => {
  const { site } = parseSettings({ ...ingest, INGEST_AT_OPT_OUT: 'keep' }).settings;
  expect(site.withholdsAtOptOut).toEqual({ survey: true, contact: false });
  expect(parseSettings(ingest).settings.site.withholdsAtOptOut.survey).toBe(false);
});

describe('the ingest service', () => {
  it('is on with all four of its settings', () => {
    expect(parseSettings(ingest).settings.destinations).toContainEqual({
      definition: ingestDefinition,
      values: {
        INGEST_URL: 'https://api.example.com',
        INGEST_CAMPAIGN_ID: '12',
        INGEST_SUPPLIER_ID: '34',
        INGEST_KEY: 'k-123',
        INGEST_TIMEOUT_MS: 30_000,
        INGEST_ACCOUNT_CODES: ['1002'],
        INGEST_WITH_VERIFICATION: 'off',
        INGEST_AT_OPT_OUT: 'send',
      },
    });
  });

  it.each(Object.keys(ingest))('is not started without %s', (name) => {
    expect(problemsOf({ ...ingest, [name]: '' })).toContain(`${name} is missing`);
  });

  it.each(Object.keys(ingest))('is not started with %s alone', (name) => {
    const alone = { [name]: ingest[name as keyof typeof ingest] };
    const missing = Object.keys(ingest).filter((each) => each !== name);
    const problems = problemsOf(alone).split('\n');
    expect(problems.map((problem) => problem.split(' ', 1)[0])).toEqual(missing);
  });

  it('is off if only optional settings are given', () => {
    const { settings } = parseSettings({ INGEST_TIMEOUT_MS: '5000' });
    expect(settings.destinations).toContainEqual({
      definition: ingestDefinition,
      values: undefined,
    });
    expect(problemsOf({ INGEST_TIMEOUT_MS: 'soon' })).toContain('INGEST_TIMEOUT_MS is "soon"');
  });

  it('reports each bad and each missing setting once', () => {
    const problems = problemsOf({ INGEST_URL: 'ftp://x', INGEST_KEY: 'two words' }).split('\n');
    expect(problems).toEqual([
      expect.stringMatching(/^INGEST_URL is "ftp:\/\/x", whose scheme is "ftp:": expected /),
      expect.stringMatching(
        /^INGEST_KEY is secret and not shown; it has 9 characters, with white space inside: expected [^"]*$/,
      ),
      expect.stringMatching(/^INGEST_CAMPAIGN_ID is missing: /),
      expect.stringMatching(/^INGEST_SUPPLIER_ID is missing: /),
    ]);
  });
});

describe('an additional destination', () => {
  const alarm = defineDestination({
    name: 'alarm',
    title: 'a bell in the office',
    variables: {
      ALARM_URL: optional(serviceAddress, 'the address of the bell'),
      ALARM_TOKEN: optionalSecret(text, 'the key of the bell'),
      ALARM_RINGS: wholeNumber(1, 9, 3),
    },
    needs: ['ALARM_URL', 'ALARM_TOKEN'],
    whenOff: 'skip',
    permission: { consent: 'any', stopsAtOptOut: false },
    appliesTo: () => true,
    connect: () => {
      throw new Error('not connected in this test');
    },
  });
  const definitions = [...destinations, alarm];

  it('has its own settings, of which it needs all or none', () => {
    const bell = { ALARM_URL: 'https://bell.example', ALARM_TOKEN: 'x' };
    const { settings, warnings } = parseSettings(bell, definitions);
    expect(warnings).toEqual([]);
    expect(settings.destinations).toEqual([
      ...destinations.map((definition) => ({ definition, values: undefined })),
      { definition: alarm, values: { ...bell, ALARM_RINGS: 3 } },
    ]);
    expect(parseSettings({}, definitions).settings.destinations.at(-1)?.values).toBeUndefined();
    const missing = problemsOf({ ALARM_URL: 'https://bell.example' }, definitions);
    expect(missing).toBe(
      'ALARM_TOKEN is missing: a bell in the office needs all of ALARM_URL, ALARM_TOKEN',
    );
  });

  it('can be named by a survey, but only if it exists', () => {
    const overrides = '{"/survey/v4":{"destinations":["alarm"]}}';
    const { surveys } = parseSettings({ SURVEY_OVERRIDES: overrides }, definitions).settings;
    expect(surveys.find(({ path: each }) => each === '/survey/v4')?.destinations).toEqual([
      'alarm',
    ]);
    expect(problemsOf({ SURVEY_OVERRIDES: overrides })).toBe(
      'SURVEY_OVERRIDES: "/survey/v4" has no destination "alarm"; there are ingest, exchange, automation, trustedform, webhook',
    );
    const none = parseSettings({ SURVEY_OVERRIDES: '{"/survey/v4":{"destinations":[]}}' });
    expect(
      none.settings.surveys.find(({ path: each }) => each === '/survey/v4')?.destinations,
    ).toEqual([]);
  });

  it('has its misspelled settings reported', () => {
    const given = { ALARM_TOKENS: 'secret-value', ALARM_VOLUME: '11' };
    expect(parseSettings(given, definitions).warnings).toEqual([
      'ALARM_TOKENS is not a setting; did you mean ALARM_TOKEN?',
      'ALARM_VOLUME is not a setting of this server',
    ]);
    expect(parseSettings(given).warnings).toEqual([]);
  });
});

describe('values', () => {
  it('count as unset when empty, so that a copied .env.example works', () => {
    expect(parseSettings({ DATABASE_URL: '', PORT: ' ' }).settings).toMatchObject({
      databaseUrl: undefined,
      port: 3000,
    });
  });

  it('of state lists are all, none, or codes in any case', () => {
    const { site, specialStates } = parseSettings({
      SPECIAL_STATES: 'none',
      PARTNER_CLOSED_STATES: 'ny',
      DATE_OF_BIRTH_STATES: 'al, Tx',
      PARTIAL_FAULT_STATES: 'ALL',
    }).settings;
    expect(specialStates).toEqual([]);
    expect(site.partnerClosedStates).toEqual(['NY']);
    expect(site.dateOfBirthStates).toEqual(['AL', 'TX']);
    expect(site.partialFaultStates).toHaveLength(51);
  });

  it('of VISITOR_STATE_HEADER are header names and need trusted proxies', () => {
    const trusted = { TRUSTED_PROXIES: 'loopback', VISITOR_STATE_HEADER: 'CF-Region-Code' };
    expect(parseSettings(trusted).settings.visitorStateHeader).toBe('cf-region-code');
    expect(parseSettings(trusted).settings.site.asksVisitorState).toBe(true);
    expect(parseSettings({}).settings.site.asksVisitorState).toBe(false);
    expect(problemsOf({ VISITOR_STATE_HEADER: 'x-state' })).toContain(
      'VISITOR_STATE_HEADER needs TRUSTED_PROXIES',
    );
    expect(problemsOf({ ...trusted, VISITOR_STATE_HEADER: 'a b' })).toContain(
      'VISITOR_STATE_HEADER is "a b": expected the name of a header',
    );
  });

  it('of VISITOR_ADDRESS_HEADER are header names and need trusted proxies', () => {
    const trusted = { TRUSTED_PROXIES: '10.0.0.0/8', VISITOR_ADDRESS_HEADER: 'CF-Connecting-IP' };
    expect(parseSettings(trusted).settings.visitorAddressHeader).toBe('cf-connecting-ip');
    expect(problemsOf({ VISITOR_ADDRESS_HEADER: 'x-address' })).toContain(
      'VISITOR_ADDRESS_HEADER needs TRUSTED_PROXIES',
    );
  });

  it.each(['PHONE_CHECK', 'EMAIL_CHECK'])('of %s are an address and a key', (name) => {
    const whole = { [`${name}_URL`]: 'https://checks.example', [`${name}_KEY`]: 'key-1' };
    const { phone, email } = parseSettings(whole).settings.checks;
    expect(phone ?? email).toMatchObject({ baseUrl: 'https://checks.example', key: 'key-1' });
    expect(problemsOf({ ...whole, [`${name}_KEY`]: '' })).toContain(`${name}_KEY is missing`);
    expect(problemsOf({ ...whole, [`${name}_URL`]: '' })).toContain(`${name}_URL is missing`);
    const refused = problemsOf({ ...whole, [`${name}_KEY`]: 'two words' });
    expect(refused).toContain(`${name}_KEY is secret`);
    expect(refused).not.toContain('two words');
    expect(refused).not.toContain('is missing');
  });

  it('of trusted proxies are addresses, networks and their names', () => {
    expect(
      parseSettings({ TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,192.0.2.7,loopback' }).settings
        .trustedProxies,
    ).toEqual(['10.0.0.0/8', 'fd00::/8', '192.0.2.7', 'loopback']);
  });

  it('of SURVEY_OVERRIDES replace single columns and toggles', () => {
    const { surveys } = parseSettings({
      SURVEY_OVERRIDES: '{"/survey/v4":{"offerId":90,"toggles":{"combinedLastStep":true}}}',
    }).settings;
    const changed = surveys.find((survey) => survey.path === '/survey/v4');
    const other = surveys.find((survey) => survey.path === '/survey/v4nv');
    expect(changed).toMatchObject({ offerId: 90, affiliateId: 1, language: 'en' });
    expect(changed?.toggles).toMatchObject({ combinedLastStep: true, lastStepHeader: true });
    expect(other).toMatchObject({ offerId: 81, toggles: { combinedLastStep: false } });
  });
});

describe('a survey override', () => {
  it('may name fetched buyers and another existing thank-you page', () => {
    const overrides = { buyers: 'fetched', thankYouPath: '/survey-v5-thank-you/' };
    const changed = parseSettings({
      BUYERS_URL: 'https://buyers.example.com',
      SURVEY_OVERRIDES: JSON.stringify({ '/survey/v4nv-d1': overrides }),
    }).settings.surveys.find((survey) => survey.path === '/survey/v4nv-d1');
    expect(changed).toMatchObject(overrides);
  });
});

describe('misspelled settings', () => {
  it('are reported without their values', () => {
    const { warnings } = parseSettings({
      INGEST_KEI: 'secret-value',
      TRUSTED_PROXY: '10.0.0.0/8',
      INGEST_FOO: 'x',
      data_dir: '/x',
      HOME: '/root',
      PATH: '/bin',
      HOSTNAME: 'box',
    });
    expect(warnings).toEqual([
      'INGEST_KEI is not a setting; did you mean INGEST_KEY?',
      'INGEST_FOO is not a setting of this server',
      'data_dir is not a setting; did you mean DATA_DIR?',
    ]);
  });
});

describe('.env.example', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../.env.example'), 'utf8');
  const given = new Map(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map((match) => [match[1] as string, match[2]]),
  );

  const all = Object.assign(
    {},
    variables,
    ...destinations.map((definition) => definition.variables),
  ) as Record<string, Variable<unknown>>;

  it.each(Object.keys(all))('explains %s with its default', (name) => {
    expect(given.get(name)).toBe(all[name]?.fallback ?? '');
    // Every block of settings has a comment above it.
    expect(text).toMatch(new RegExp(`# .+\\n(?:[A-Z_]+=.*\\n)*\\n*(?:[A-Z_]+=.*\\n)*${name}=`));
  });

  it('has no unknown setting', () => {
    expect([...given.keys()].filter((name) => !Object.hasOwn(all, name))).toEqual([]);
  });
});

it('FORMER_COMPANY_NAMES are names separated by bars', () => {
  const namesOf = (text: string) =>
    parseSettings({ FORMER_COMPANY_NAMES: text }).settings.formerCompanyNames;
  expect(namesOf('')).toEqual([]);
  expect(namesOf(' Claims, Inc. | Old Name ')).toEqual(['Claims, Inc.', 'Old Name']);
  for (const text of ['One||Two', '|', 'x'.repeat(81)]) {
    expect(problemsOf({ FORMER_COMPANY_NAMES: text })).toContain('FORMER_COMPANY_NAMES is ');
  }
});
