import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { themeCss } from './theme-css.ts';

const src = join(import.meta.dirname, '..');

/** A browser silently drops a declaration that reads an unset property. */
test('every custom property that the code reads is set somewhere in the code', () => {
  const sources = globSync(['styles/**/*.css', 'site/**/*.tsx', 'survey/**/*.{tsx,svg}'], {
    cwd: src,
  });
  const theme = themeCss('default', 'word', '');
  const all = [...sources.map((file) => readFileSync(join(src, file), 'utf8')), theme].join('\n');
  const set = new Set([...all.matchAll(/(--[a-z\d-]+)['"]?\]?:/g)].map(([, name]) => name));
  // Skips `var(--name, fallback)`, because a property with a fallback may be unset.
  const read = [...all.matchAll(/var\((--[a-z\d-]+)\)/g)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(100);
  expect([...new Set(read)].filter((name) => !set.has(name))).toEqual([]);
});
