import { describe, expect, it } from 'vitest';
import { sandboxEnvironment } from '../../../sandbox/environment.ts';
import { parseSettings } from './settings.ts';
import { services } from './third-parties.ts';
import { variables } from './variables.ts';

const stateOf = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    parseSettings(environment).thirdParties.map(({ name, state }) => [name, state]),
  );

describe('the list of third parties', () => {
  it('contains only the states `embedded` and `off` if no setting is given', () => {
    const states = stateOf({});
    expect(states).toMatchObject({ phone: 'embedded', buyers: 'embedded', prefill: 'off' });
    expect(Object.values(states)).not.toContain('real');
  });

  it('contains the state `real` for a third party whose required settings are given', () => {
    expect(stateOf({ BUYERS_URL: 'https://buyers.example', PIXEL_SCRIPT_URL: '' })).toEqual({
      ...stateOf({}),
      buyers: 'real',
    });
  });

  it('contains the state `sandbox` for a third party whose URL is in the sandbox', () => {
    const url = 'http://127.0.0.1:4010';
    const states = stateOf(sandboxEnvironment(url));
    expect(new Set(Object.values(states))).toEqual(new Set(['sandbox']));
    const other = { SANDBOX_URL: url, BUYERS_URL: 'http://127.0.0.1:40100' };
    expect(stateOf(other)).toMatchObject({ buyers: 'real' });
  });

  it('names every setting that is a web address or a secret', () => {
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
      // Its accounts are destinations.
      'EXTRA_DESTINATIONS',
      // Buyers sign with these. Nothing is sent.
      'OUTCOME_SECRETS',
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
