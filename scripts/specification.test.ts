import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const specification = join(root, 'docs', 'specification.md');

/** Returns GitHub's anchor for a heading. */
function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function slugsOf(markdown: string): string[] {
  const withoutCode = markdown.replace(/^```[\s\S]*?^```/gm, '');
  return [...withoutCode.matchAll(/^#{1,6} (.+)$/gm)].map((match) => slugOf(match[1] as string));
}

/** Returns all hand-written files of the repository, including those not yet committed. */
function files(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const isFile = (file: string) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile();
  return listed.split('\0').filter((file) => file !== '' && isFile(file));
}

/**
 * Returns the anchors after `specification.md#`. In the specification itself and in comments of the conformance tables,
 * also returns anchors without the file's name.
 */
function anchorsIn(file: string, text: string): string[] {
  const links = [...text.matchAll(/specification\.md#([\w-]+)/g)];
  const own = resolve(root, file) === specification ? [...text.matchAll(/\]\(#([^)]*)\)/g)] : [];
  const comments = file.startsWith('tests/conformance/')
    ? [...text.matchAll(/^ *(?:\/\/|\/?\*).*$/gm)].flatMap((line) => [
        ...line[0].matchAll(/ \(?#([a-z][\w-]+)/g),
      ])
    : [];
  return [...links, ...own, ...comments].map((match) => match[1] as string);
}

describe('docs/specification.md', () => {
  const text = readFileSync(specification, 'utf8');
  const slugs = slugsOf(text);

  test('has no two headings with the same anchor', () => {
    expect(slugs.filter((slug, index) => slugs.indexOf(slug) !== index)).toEqual([]);
  });

  test('has every anchor that a file of the repository links to', () => {
    const broken = files()
      .filter((file) => !file.startsWith('scripts/specification.test'))
      .flatMap((file) => {
        const content = readFileSync(join(root, file), 'utf8');
        return anchorsIn(file, content)
          .filter((anchor) => !slugs.includes(anchor))
          .map((anchor) => `${file}: #${anchor}`);
      });
    expect(broken).toEqual([]);
  });
});
