import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

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

function files(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const isFile = (file: string) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile();
  return listed.split('\0').filter((file) => file !== '' && isFile(file));
}

function linksIn(file: string, text: string): string[] {
  const mentions = [...text.matchAll(/(?<![\w/.])(?:docs\/)[\w./-]+\.md(?:#[\w-]+)?/g)];
  const comments = file.startsWith('tests/conformance/')
    ? [...text.matchAll(/^ *(?:\/\/|\/?\*).*$/gm)].flatMap((line) => [
        ...line[0].matchAll(/ \(?(#[a-z][\w-]+)/g),
      ])
    : [];
  const links = [
    ...mentions.map(String),
    ...comments.map((match) => `docs/specification.md${match[1]}`),
  ];
  if (!/^(docs\/.*|README)\.md$/.test(file)) return links;
  const own = [...text.matchAll(/\]\((?![a-z]+:)([^)\s]*)\)/g)].map((match) => match[1] as string);
  const absolute = own.map((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : relative(root, resolve(root, dirname(file), path));
    return anchor === undefined ? target : `${target}#${anchor}`;
  });
  return [...links, ...absolute];
}

const documents = files();
const anchors = new Map(
  documents
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file, slugsOf(readFileSync(join(root, file), 'utf8'))]),
);

test('the specification has no two headings with the same anchor', () => {
  const slugs = anchors.get('docs/specification.md') ?? [];
  expect(slugs.filter((slug, index) => slugs.indexOf(slug) !== index)).toEqual([]);
});

test('every link in the repository leads to an existing page and anchor', () => {
  const isBroken = (link: string) => {
    const [path = '', anchor] = link.split('#');
    if (anchor !== undefined) return !anchors.get(path)?.includes(anchor);
    return statSync(join(root, path), { throwIfNoEntry: false }) === undefined;
  };
  const broken = documents
    .filter((file) => /\.(md|tsx?|mjs|cjs|css|astro|json|ya?ml|sql|example)$/.test(file))
    .flatMap((file) =>
      linksIn(file, readFileSync(join(root, file), 'utf8'))
        .filter(isBroken)
        .map((link) => `${file}: ${link}`),
    );
  expect(broken).toEqual([]);
});
