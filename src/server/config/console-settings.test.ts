import { describe, expect, it } from 'vitest';
import { parseSettings } from './settings.ts';

const consoleOf = (env: NodeJS.ProcessEnv) => parseSettings(env).settings.console;
describe('the console', () => {
  it('is on loopback, beside the site', () => {
    expect(consoleOf({})).toMatchObject({ host: 'localhost', port: 3_001, url: undefined });
    expect(consoleOf({ PORT: '65535' })?.port).toBe(65_534);
    expect(consoleOf({ CONSOLE_PORT: 'off' })).toBeUndefined();
  });

  it('knows the operators of an identity provider', () => {
    const found = consoleOf({
      CONSOLE_OIDC_ISSUER: 'https://id.example.com',
      CONSOLE_OIDC_CLIENT_ID: 'console',
      CONSOLE_OIDC_CLIENT_SECRET: 'hush-hush',
      CONSOLE_OIDC_DOMAIN: 'Example.com',
    });
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
