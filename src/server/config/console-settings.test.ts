import { describe, expect, it } from 'vitest';
import { parseSettings } from './settings.ts';

const consoleOf = (env: NodeJS.ProcessEnv) => parseSettings(env).settings.console;
const problemOf = (env: NodeJS.ProcessEnv) => {
  try {
    parseSettings(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the console', () => {
  it('is on loopback, beside the site', () => {
    expect(consoleOf({})).toMatchObject({ host: 'localhost', port: 3_001, url: undefined });
    expect(consoleOf({ PORT: '65535' })?.port).toBe(65_534);
    expect(consoleOf({ CONSOLE_PORT: 'off' })).toBeUndefined();
  });

  const open = { CONSOLE_HOST: '0.0.0.0' };
  const proxy = { TRUSTED_PROXIES: '10.0.0.1' };
  const https = { CONSOLE_URL: 'https://console.example.com' };

  it.each([
    [open],
    [{ ...open, ...proxy }],
    [{ ...open, ...https }],
    [{ ...open, ...proxy, CONSOLE_URL: 'http://console.example.com' }],
  ])('does not start where others reach it without https: %j', (env) => {
    expect(problemOf(env)).toMatch(
      /CONSOLE_HOST is "[\d.]+", which other machines can reach: name/,
    );
  });

  it.each([
    [{ ...open, ...proxy, ...https }],
    [{ CONSOLE_HOST: '::1' }],
    [{ ...open, CONSOLE_URL: 'http://localhost:3001' }],
  ])('starts with %j', (env) => {
    expect(problemOf(env)).toBe('');
  });

  it('needs the whole account of an identity provider, over https', () => {
    const issuer = { CONSOLE_OIDC_ISSUER: 'https://id.example.com' };
    expect(problemOf(issuer)).toContain('CONSOLE_OIDC_CLIENT_ID, CONSOLE_OIDC_CLIENT_SECRET is');
    expect(problemOf({ CONSOLE_OIDC_DOMAIN: 'example.com' })).toContain('CONSOLE_OIDC_ISSUER');
    expect(problemOf({ CONSOLE_OIDC_ISSUER: 'http://id.example.com' })).toContain('is not https');
    const account = { CONSOLE_OIDC_CLIENT_ID: 'console', CONSOLE_OIDC_CLIENT_SECRET: 'hush-hush' };
    const found = consoleOf({ ...issuer, ...account, CONSOLE_OIDC_DOMAIN: 'Example.com' });
    expect(found?.oidc).toMatchObject({ clientId: 'console', domain: 'example.com' });
  });
});

it('lists every setting, and no secret', () => {
  const { lines } = parseSettings({
    CONSOLE_OIDC_ISSUER: 'https://id.example.com',
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: 'hush-hush',
    DATABASE_URL: 'postgres://u:hush-hush@db/leads',
    AUTOMATION_WEBHOOK_URL: 'https://hooks.example/hush-hush',
    PORT: '3000',
  }).settings;
  expect(JSON.stringify(lines)).not.toContain('hush-hush');
  expect(lines.find(({ name }) => name === 'AUTOMATION_WEBHOOK_URL')).toMatchObject({
    ...{ isSecret: true, isDefault: false, value: 'given, 31 characters' },
  });
  expect(lines.find(({ name }) => name === 'PORT')).toEqual({
    ...{ name: 'PORT', value: '3000', isDefault: true, isSecret: false },
  });
});
