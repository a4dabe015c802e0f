import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compensationMultipliers } from '../../domain/compensation-estimate.ts';
import { parseSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';
import { type VariableName, variables } from './variables.ts';

function problemsOf(environment: NodeJS.ProcessEnv): string {
  try {
    parseSettings(environment);
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

  it('start a server on this machine with the embedded database and no third party', () => {
    expect(settings).toMatchObject({
      port: 3000,
      host: 'localhost',
      dataDir: path.resolve('./data'),
      databaseUrl: undefined,
      publicUrl: undefined,
      trustedProxies: [],
      timeZone: 'America/New_York',
      ingest: undefined,
      allowsPrivateNetworks: false,
    });
    expect(warnings).toEqual([]);
  });

  it('are those of the specification and its readings for the rules', () => {
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
    expect(settings.site.specialStates).toBeUndefined();
  });
});

describe('scripts of third parties and prefilling', () => {
  it('are off by default', () => {
    const { site, prefill } = parseSettings({}).settings;
    expect(prefill).toBeUndefined();
    expect(site.prefill).toBe(false);
    expect(new Set(Object.values(site.scripts))).toEqual(new Set(['']));
  });

  it('are on by their addresses', () => {
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

  it.each(['TICKET_SCRIPT_URL', 'AD_PIXEL_SCRIPT_URL', 'PREFILL_URL'])(
    '%s must be an address',
    (name) => {
      expect(problemsOf({ [name]: 'javascript:alert(1)' })).toContain(`${name} must be`);
    },
  );
});

describe('the compensation estimate', () => {
  it('is our own by default, with the default table', () => {
    const { estimate, compensationMultipliers: table } = parseSettings({}).settings;
    expect(estimate).toBeUndefined();
    expect(table).toEqual(compensationMultipliers);
  });

  it('takes single answers from the setting', () => {
    const { compensationMultipliers: table } = parseSettings({
      COMPENSATION_MULTIPLIERS: '{"specific_injury":{"Whiplash":0},"hit_and_run":{"yes":0.1}}',
    }).settings;
    expect(table).toEqual({
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
      'COMPENSATION_MULTIPLIERS must be JSON',
    );
  });
});

describe('a bad setting', () => {
  it.each([
    ['PORT', '70000', 'PORT must be a whole number from 0 to 65535, not "70000"'],
    ['PORT', '80a', 'PORT must be a whole number'],
    ['PUBLIC_URL', 'claims.example.com', 'PUBLIC_URL must be the address that visitors see'],
    ['PUBLIC_URL', 'https://example.com/path', 'PUBLIC_URL must be'],
    ['TIME_ZONE', 'Mars/Olympus', 'TIME_ZONE must be a time zone name'],
    ['LIMITATION_TABLE', 'future', 'LIMITATION_TABLE must be one of "coded", "present"'],
    ['DATE_OF_BIRTH_STATES', 'AL,XX', 'DATE_OF_BIRTH_STATES must be state codes'],
    ['PHONE_NUMBER', '555-0100', 'PHONE_NUMBER must be an American phone number'],
    ['TRUSTED_PROXIES', 'true', 'Neither "true" (anyone could fake an address)'],
    ['TRUSTED_PROXIES', '1', 'nor a number'],
    ['TRUSTED_PROXIES', '10.0.0.0/0', 'TRUSTED_PROXIES must be'],
    ['SURVEY_OVERRIDES', '{', 'SURVEY_OVERRIDES must be JSON'],
    ['SURVEY_OVERRIDES', '{"/survey/none":{}}', 'there is no survey "/survey/none"'],
    ['SURVEY_OVERRIDES', '{"/survey/v4":{"oferId":1}}', 'column "oferId"'],
    ['SURVEY_OVERRIDES', '{"/survey/v4":{"toggles":{"rounded":true}}}', 'toggles.rounded'],
    ['SURVEY_OVERRIDES', '{"/survey/v4":{"offerId":"81"}}', 'column "offerId"'],
  ])('%s=%s stops the start with its name and what is expected', (name, value, sentence) => {
    expect(problemsOf({ [name]: value })).toContain(sentence);
  });

  it('is never repeated when it is secret', () => {
    const message = problemsOf({ DATABASE_URL: 'mysql://user:hunter2@host/db' });
    expect(message).toContain('DATABASE_URL must be a PostgreSQL address');
    expect(message).not.toContain('hunter2');
    expect(problemsOf({ ...ingest, INGEST_KEY: 'two words' })).not.toContain('two words');
  });

  it('does not hide the others', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud' }).split('\n')).toHaveLength(2);
  });
});

describe('the ingest service', () => {
  it('is configured by all four of its settings', () => {
    expect(parseSettings(ingest).settings.ingest).toEqual({
      url: 'https://api.example.com',
      campaignId: '12',
      supplierId: '34',
      key: 'k-123',
      timeoutMs: 30_000,
    });
  });

  it.each(Object.keys(ingest))('is not started without %s', (name) => {
    expect(problemsOf({ ...ingest, [name]: '' })).toContain(`${name} is missing`);
  });
});

describe('values', () => {
  it('count as not given when empty, so that a copied .env.example works', () => {
    expect(parseSettings({ DATABASE_URL: '', PORT: ' ' }).settings).toMatchObject({
      databaseUrl: undefined,
      port: 3000,
    });
  });

  it('of state lists may be all, none, or codes in any case', () => {
    const { site } = parseSettings({
      SPECIAL_STATES: 'none',
      DATE_OF_BIRTH_STATES: 'al, Tx',
      PARTIAL_FAULT_STATES: 'ALL',
    }).settings;
    expect(site.specialStates).toEqual([]);
    expect(site.dateOfBirthStates).toEqual(['AL', 'TX']);
    expect(site.partialFaultStates).toHaveLength(51);
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

describe('slips of the pen', () => {
  it('are warned about, without their values', () => {
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

  it.each(Object.keys(variables) as VariableName[])('explains %s with its default', (name) => {
    expect(given.get(name)).toBe(variables[name].fallback ?? '');
    // Every block of settings is under a comment of its own.
    expect(text).toMatch(new RegExp(`# .+\\n(?:[A-Z_]+=.*\\n)*\\n*(?:[A-Z_]+=.*\\n)*${name}=`));
  });

  it('has no setting that the server does not know', () => {
    expect([...given.keys()].filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
  });
});
