import { describe, expect, it } from 'vitest';
import { sandboxEnvironment } from '../../../sandbox/environment.ts';
import { parseSettings } from './settings.ts';
import { services } from './third-parties.ts';
import { variables } from './variables.ts';

const stateOf = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    parseSettings(environment).settings.thirdParties.map(({ name, state }) => [name, state]),
  );

describe('Third parties', () => {
  it('are embedded or off if no setting is given', () => {
    const states = stateOf({});
    expect(states).toMatchObject({ phone: 'embedded', buyers: 'embedded', prefill: 'off' });
    expect(Object.values(states)).not.toContain('real');
  });

  it('are real if the settings that they need are given', () => {
    expect(stateOf({ BUYERS_URL: 'https://buyers.example', PIXEL_SCRIPT_URL: '' })).toEqual({
      ...stateOf({}),
      buyers: 'real',
    });
  });

  it('are in the sandbox if their settings have the sandbox’s address', () => {
    const url = 'http://127.0.0.1:4010';
    const states = stateOf(sandboxEnvironment(url));
    expect(new Set(Object.values(states))).toEqual(new Set(['sandbox']));
    const other = { SANDBOX_URL: url, BUYERS_URL: 'http://127.0.0.1:40100' };
    expect(stateOf(other)).toMatchObject({ buyers: 'real' });
  });

  it('name every setting that has an address or a secret', () => {
    const ours = [
      'PUBLIC_URL',
      'DATABASE_URL',
      'OPERATORS_DATABASE_URL',
      'PERSON_KEY_SECRET',
      'SANDBOX_URL',
      // The operators' identity provider gets no data of visitors or leads.
      'CONSOLE_URL',
      'CONSOLE_OIDC_CLIENT_SECRET',
      // No third party gets EVIDENCE_KEY.
      'EVIDENCE_KEY',
      'EVIDENCE_HEADS_URL',
    ];
    const declared = new Set<string>(services.flatMap(({ needs, takes }) => [...needs, ...takes]));
    const undeclared = Object.entries(variables)
      .filter(([name, { fallback, ...declared }]) => {
        const isAddress = /_(URL|HOST|ENDPOINT)$/.test(name) && !fallback;
        return isAddress || 'secret' in declared;
      })
      .map(([name]) => name)
      .filter((name) => !declared.has(name) && !ours.includes(name));
    expect(undeclared, 'declare their third party in third-parties.ts').toEqual([]);
  });
});
