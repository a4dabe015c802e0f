import { expect, it } from 'vitest';
import { destinations } from '../src/server/delivery/destinations/index.ts';
import { parseSettings } from '../src/server/settings/settings.ts';
import { sandboxEnvironment, settingsOf } from './environment.ts';

const url = 'http://127.0.0.1:4010';

it.each([...destinations])('the stand-in of $name sets every setting that $name needs', (of) => {
  const settings = Object.keys(settingsOf(of.name, url));
  const missing = `settings of the stand-in "${of.name}" in sandbox/services/`;
  expect(settings, missing).toEqual(expect.arrayContaining([...of.needs]));
  expect(Object.keys(of.variables)).toEqual(expect.arrayContaining(settings));
});

it('the settings of sandboxEnvironment turn on every destination', () => {
  const environment = sandboxEnvironment(url);
  const settings = parseSettings(environment);
  expect(settings.destinations.filter(({ values }) => values === undefined)).toEqual([]);
  const names = settings.lines.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(environment)));
});
