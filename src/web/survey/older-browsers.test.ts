import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Syntax that an iPhone of 2022 cannot parse and that the build does not rewrite. */
const tooNew: Readonly<Record<string, RegExp>> = {
  'look-behind (Safari 16.4)': /\(\?<[!=]/,
  'URL.canParse (Safari 17)': /URL\.canParse/,
};

test.each(Object.entries(tooNew))('no source file of the survey pages uses %s', (_, pattern) => {
  const root = join(import.meta.dirname, '..', '..');
  const files = globSync('{web/survey,model/{flows,messages,visit}}/**/*.{ts,tsx}', {
    cwd: root,
  }).filter((file) => !file.includes('.test.'));
  expect(files.length).toBeGreaterThan(50);
  const found = files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([]);
});
