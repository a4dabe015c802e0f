import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headingFace } from './faces.ts';
import { logos } from './logos.ts';
import { themeCss } from './theme-css.ts';

const src = join(import.meta.dirname, '..', '..');

/** A browser drops a rule whose property nothing sets: a ground or a colour is then missing without an error. */
test('every custom property that a style sheet or a component reads is set', async () => {
  const sources = globSync(['site/**/*.css', 'site/**/*.tsx', 'survey/**/*.tsx'], { cwd: src });
  const theme = themeCss('default', await headingFace('newsreader', ''));
  const all = [
    ...sources.map((file) => readFileSync(join(src, file), 'utf8')),
    ...Object.values(logos),
    theme,
  ].join('\n');
  const set = new Set([...all.matchAll(/(--[a-z\d-]+)['"]?\]?:/g)].map(([, name]) => name));
  // A property with a fallback beside it need not be set.
  const read = [...all.matchAll(/var\((--[a-z\d-]+)\)/g)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(100);
  expect([...new Set(read)].filter((name) => !set.has(name))).toEqual([]);
});
