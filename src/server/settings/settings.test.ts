import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { destinations } from '../delivery/destinations/index.ts';
import type { Variable } from '../platform/variable.ts';
import { parseSettings } from './settings.ts';
import { variables } from './variables.ts';

it('the default of OPERATIONS_PORT is the site’s port plus 10,000', () => {
  const operationsOf = (env: NodeJS.ProcessEnv) => parseSettings(env).operations;
  expect(operationsOf({})).toEqual({ host: '127.0.0.1', port: 13_000 });
  expect(operationsOf({ PORT: '60000' })?.port).toBe(50_000);
  expect(operationsOf({ PORT: '0' })?.port).toBe(0);
  expect(operationsOf({ PORT: '0', OPERATIONS_PORT: '9464' })?.port).toBe(9_464);
  expect(operationsOf({ OPERATIONS_PORT: 'off' })).toBeUndefined();
});

it('consents are stored at least as long as leads', () => {
  const keptDays = (env: NodeJS.ProcessEnv) => parseSettings(env).keep.consents;
  expect(keptDays({ KEEP_LEADS_DAYS: '3000', KEEP_CONSENTS_DAYS: '2000' })).toBe(3_000);
  expect(keptDays({ KEEP_LEADS_DAYS: '30', KEEP_CONSENTS_DAYS: '2000' })).toBe(2_000);
});

const consoleOf = (env: NodeJS.ProcessEnv) => parseSettings(env).console;

it('by default the console listens only on localhost', () => {
  expect(consoleOf({})).toMatchObject({ host: 'localhost', port: 3_001, url: undefined });
  expect(consoleOf({ PORT: '65535' })?.port).toBe(65_534);
  expect(consoleOf({ CONSOLE_PORT: 'off' })).toBeUndefined();
});

it('the list of all settings contains no secret', () => {
  const { lines } = parseSettings({
    CONSOLE_OIDC_ISSUER: 'https://id.example.com',
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: 'hush-hush',
    DATABASE_URL: 'postgres://u:hush-hush@db/leads',
    AUTOMATION_WEBHOOK_URL: 'https://hooks.example/hush-hush',
    PORT: '3000',
  });
  expect(JSON.stringify(lines)).not.toContain('hush-hush');
  expect(lines.find(({ name }) => name === 'AUTOMATION_WEBHOOK_URL')).toMatchObject({
    isSecret: true,
    isDefault: false,
    value: 'given, 31 characters',
  });
  expect(lines.find(({ name }) => name === 'PORT')).toEqual({
    name: 'PORT',
    value: '3000',
    isDefault: true,
    isSecret: false,
  });
});

describe('The settings of call tracking', () => {
  const src = 'https://calls.example/s.js';
  const other = 'https://calls.example/f.js';
  const tags = { CALL_TRACKING_TAG_ID: '1/2', CALL_TRACKING_FACEBOOK_TAG_ID: '1/3' };
  it.each<[NodeJS.ProcessEnv, numbers: object, facebook?: object]>([
    [{ CALL_TRACKING: 'ringba' }, { src }],
    [
      { CALL_TRACKING: 'callrail', CALL_TRACKING_FACEBOOK_SCRIPT_URL: other },
      { src },
      { src: other },
    ],
    [
      { CALL_TRACKING: 'invoca', ...tags },
      { src, tagId: '1/2' },
      { src, tagId: '1/3' },
    ],
  ])('can set a separate pool of phone numbers for Facebook', (given, numbers, facebook) => {
    const { scripts } = parseSettings({ CALL_TRACKING_SCRIPT_URL: src, ...given }).site;
    expect(scripts.callTracking).toEqual({
      numbers,
      ...(facebook && { facebook }),
    });
  });
});

describe('parseSettings', () => {
  it('treats an empty setting as unset, so that a copied .env.example works', () => {
    const given = { DATABASE_URL: '', PORT: ' ' };
    expect(parseSettings(given)).toMatchObject({ databaseUrl: undefined, port: 3000 });
  });

  it('accepts codes of US states in upper or lower case', () => {
    const { site, specialStates } = parseSettings({
      SPECIAL_STATES: 'none',
      PARTNER_CLOSED_STATES: 'ny',
      DATE_OF_BIRTH_STATES: 'al, Tx',
      PARTIAL_FAULT_STATES: 'ALL',
    });
    expect(specialStates).toEqual([]);
    expect(site.partnerClosedStates).toEqual(['NY']);
    expect(site.dateOfBirthStates).toEqual(['AL', 'TX']);
    expect(site.partialFaultStates).toHaveLength(51);
  });

  it('returns names of headers in lower case', () => {
    const headers = { TRUSTED_PROXIES: 'loopback', VISITOR_ADDRESS_HEADER: 'CF-Connecting-IP' };
    expect(parseSettings(headers)).toMatchObject({
      visitorAddressHeader: 'cf-connecting-ip',
      site: { asksVisitorState: false },
    });
    const { site } = parseSettings({ ...headers, VISITOR_STATE_HEADER: 'CF-Region-Code' });
    expect(site.asksVisitorState).toBe(true);
  });

  it('splits a list at its separators and trims each entry', () => {
    const given = { TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,loopback' };
    expect(parseSettings({ ...given, FORMER_COMPANY_NAMES: ' Claims, Inc. | Old ' })).toMatchObject(
      {
        trustedProxies: ['10.0.0.0/8', 'fd00::/8', 'loopback'],
        formerCompanyNames: ['Claims, Inc.', 'Old'],
      },
    );
  });

  it('replaces only the survey columns and toggles that SURVEY_OVERRIDES names', () => {
    const { surveys } = parseSettings({
      SURVEY_OVERRIDES: '{"/survey/v4":{"offerId":90,"toggles":{"combinedLastStep":true}}}',
    });
    expect(surveys.find((survey) => survey.path === '/survey/v4')).toMatchObject({
      offerId: 90,
      affiliateId: 1,
      toggles: { combinedLastStep: true, lastStepHeader: true },
    });
    expect(surveys.find((survey) => survey.path === '/survey/v4nv')?.offerId).toBe(81);
  });
});

it('.env.example lists every setting with the setting’s default', () => {
  const example = readFileSync(path.join(import.meta.dirname, '../../../.env.example'), 'utf8');
  const all = Object.assign(
    {},
    variables,
    ...destinations.map((definition) => definition.variables),
  ) as Record<string, Variable<unknown>>;
  const listed = [...example.matchAll(/^[A-Z_]+=.*$/gm)].map(([line]) => line);
  const expected = Object.entries(all).map(([name, { fallback = '' }]) => `${name}=${fallback}`);
  const missing = expected.filter((line) => !listed.includes(line));
  expect(missing, 'Add these lines to .env.example').toEqual([]);
  const unknown = listed.filter((line) => !expected.includes(line));
  expect(unknown, 'Remove these lines from .env.example').toEqual([]);
  const unexplained = Object.keys(all).filter(
    (name) => !new RegExp(`# .+\\n(?:[A-Z_]+=.*\\n)*\\n*(?:[A-Z_]+=.*\\n)*${name}=`).test(example),
  );
  expect(unexplained, 'Explain these settings by a comment in .env.example').toEqual([]);
});
