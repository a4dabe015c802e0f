import { describe, expect, it } from 'vitest';
import { parseSettings } from '../src/server/config/settings.ts';
import { destinations } from '../src/server/destinations/index.ts';
import { defaultCredentials } from './credentials.ts';
import { sandboxEnvironment, sandboxSettings } from './environment.ts';

const url = 'http://127.0.0.1:4010';

describe.each([...destinations])('$name', ({ name, needs, variables }) => {
  it('has a stand-in, with exactly the settings that it needs', () => {
    const settings = Object.keys(sandboxSettings[name]?.(url, defaultCredentials) ?? {});
    expect(settings, `sandboxSettings of the destination "${name}"`).toEqual(
      expect.arrayContaining([...needs]),
    );
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(settings));
  });
});

it('has no settings for a destination that does not exist', () => {
  const names = destinations.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(sandboxSettings)));
});

it('turns every destination on', () => {
  const { settings, warnings } = parseSettings(sandboxEnvironment(url, defaultCredentials));
  expect(settings.destinations.filter(({ values }) => values === undefined)).toEqual([]);
  expect(warnings).toEqual([]);
});

it('names a destination without a stand-in', () => {
  const definitions = [...destinations, { name: 'newcomer' }];
  expect(() => sandboxEnvironment(url, defaultCredentials, definitions)).toThrow('"newcomer"');
});
