/** Tests that only an erasure changes revisions (docs/decisions/0016-ledger.md). */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const source = path.join(import.meta.dirname, '../../..');
/** Matches the folder of erasure and purge, whose code may change or delete revisions. */
const mayEmpty = /^server\/privacy\//;

const touches = [
  /update\s+(only\s+)?"?lead_revisions\b/i,
  /delete\s+from\s+(only\s+)?"?lead_revisions\b/i,
  /truncate[^;`]*\blead_revisions\b/i,
  /merge\s+into\s+"?lead_revisions\b/i,
  /insert\s+into\s+"?lead_revisions\b[^;`]*\bdo\s+update\b/i,
  /(updateTable|deleteFrom|mergeInto)\(\s*['"`]lead_revisions/,
];

test('only the code in server/privacy changes or deletes revisions', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .filter((name) => !mayEmpty.test(name));
  expect(files).toContain('server/leads/lead-statements.ts');
  const found = files.filter((name) => {
    const text = readFileSync(path.join(source, name), 'utf8');
    return touches.some((each) => each.test(text));
  });
  expect(found).toEqual([]);
});
