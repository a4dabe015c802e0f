import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What an iPhone of 2022 does not have, and no build step puts in other words. */
const tooNew: Readonly<Record<string, RegExp>> = {
  // A whole script with one in it is not read: no thank-you page would clean its address.
  'look-behind (Safari 16.4)': /\(\?<[!=]/,
  'URL.canParse (Safari 17)': /URL\.canParse/,
};

test.each(Object.entries(tooNew))('no script of the page has %s', (_, pattern) => {
  const root = join(import.meta.dirname, '..');
  const files = globSync('{survey,flows,contract}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  );
  expect(files.length).toBeGreaterThan(50);
  const found = files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([]);
});
