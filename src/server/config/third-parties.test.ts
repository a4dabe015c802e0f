import { describe, expect, it } from 'vitest';
import { destinations } from '../destinations/index.ts';
import { parseSettings } from './settings.ts';
import { services } from './third-parties.ts';
import { variables } from './variables.ts';

const stateOf = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    parseSettings(environment).settings.thirdParties.map(({ name, state }) => [name, state]),
  );

describe('the third parties', () => {
  it('are embedded or off where nothing is set', () => {
    const states = stateOf({});
    expect(states).toMatchObject({ phone: 'embedded', buyers: 'embedded', prefill: 'off' });
    expect(Object.values(states)).not.toContain('real');
  });

  it('are real with their settings, each by itself', () => {
    expect(stateOf({ BUYERS_URL: 'https://buyers.example', PIXEL_SCRIPT_URL: '' })).toEqual({
      ...stateOf({}),
      buyers: 'real',
    });
    expect(stateOf({ AUTOMATION_WEBHOOK_URL: 'https://hooks.example/secret' })).toMatchObject({
      automation: 'real',
      ingest: 'off',
    });
  });

  it('have a name each', () => {
    const names = [...services, ...destinations].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('claim every setting of an address or a secret', () => {
    const ours = ['PUBLIC_URL', 'DATABASE_URL', 'PERSON_KEY_SECRET'];
    const claimed = new Set<string>(
      services.flatMap(({ needs, takes = [] }) => [...needs, ...takes]),
    );
    const unclaimed = Object.entries(variables)
      .filter(([name, { fallback, ...declared }]) => {
        const isAddress = /_(URL|HOST|ENDPOINT)$/.test(name) && !fallback;
        return isAddress || 'secret' in declared;
      })
      .map(([name]) => name)
      .filter((name) => !claimed.has(name) && !ours.includes(name));
    expect(unclaimed, 'declare their third party in third-parties.ts').toEqual([]);
  });
});
