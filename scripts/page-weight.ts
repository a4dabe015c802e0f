import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PageScript } from '../src/server/http/page-document.ts';

export const gzipBytes = (content: Buffer | string) => gzipSync(content, { level: 9 }).length;
export const sizeOf = (parts: readonly (Buffer | string)[]) =>
  parts.reduce((bytes, part) => bytes + gzipBytes(part), 0);
const fileOf = (address: string) =>
  readFileSync(join(import.meta.dirname, '..', 'dist', 'client', address));

/** The page data of a survey that asks for a description contains this text. */
const DESCRIPTION = '"case_description":{"kind"';

/** Returns the scripts that a page loads at once and the scripts that the page loads later. */
function scriptsOf(html: string, scripts: readonly PageScript[]) {
  // Maps each script's name to true if this page never loads the script.
  const absent = Object.entries({
    rare: true,
    description: !html.includes(DESCRIPTION),
    guidance: true,
    'one-to-one': !html.includes('"buyers":'),
    'worth-input': !html.includes('"asksWorth":true'),
    'code-dialog': !html.includes('"verifiesPhone":true'),
    'follow-scripts': html.includes('"scripts":[],') && !html.includes('"asksVisitorState":true'),
  });
  const others = RegExp(absent.flatMap(([name, isAbsent]) => (isAbsent ? name : [])).join('|'));
  const files = new Set<string>();
  const later = new Set<string>();
  const add = (file: string, to: Set<string>) => {
    if (files.has(file) || later.has(file)) return;
    to.add(file);
    const script = scripts.find((candidate) => candidate.file === file);
    for (const imported of script?.imports ?? []) add(imported, to);
  };
  for (const [, file = ''] of html.matchAll(/"(\/_astro\/[^"]+\.js)"/g)) add(file, files);
  const onDemand = /import\(\s*["'`]\.\/([^"'`]+)["'`]\s*\)/g;
  for (const set of [files, later]) {
    for (const file of set) {
      for (const [, name = ''] of fileOf(file).toString().matchAll(onDemand)) {
        if (!others.test(name)) add(`/_astro/${name}`, later);
      }
    }
  }
  return { files: [...files], later: [...later] };
}

/** Measures a built page, in bytes of gzip. `scripts` has all script files of the build. */
export function weighPage(
  { identity }: { readonly identity: Buffer },
  scripts: readonly PageScript[],
) {
  const html = identity.toString();
  const { files, later } = scriptsOf(html, scripts);
  const inlineScripts = html.matchAll(
    /<script(?![^>]*(?:src=|"application\/json"))[^>]*>([\s\S]*?)<\/script>/g,
  );
  const inlineStyles = html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g);
  const joined = (matches: Iterable<RegExpMatchArray>) =>
    gzipBytes([...matches].map(([, text]) => text).join(''));
  // Counts each style sheet only once, because a <noscript> element repeats some style sheets.
  const sheets = [
    ...html
      .replaceAll(/<noscript>.*?<\/noscript>/gs, '')
      .matchAll(/href="(\/_astro\/[^"]+\.css)"( disabled)?/g),
  ];
  const sheetBytes = (isLater: boolean) =>
    sizeOf(
      sheets.flatMap(([, file = '', disabled]) =>
        (disabled !== undefined) === isLater ? [fileOf(file)] : [],
      ),
    );
  return {
    javascript: sizeOf(files.map(fileOf)) + joined(inlineScripts),
    later: sizeOf(later.map(fileOf)),
    css: joined(inlineStyles) + sheetBytes(false),
    laterCss: sheetBytes(true),
    hasDescription: html.includes(DESCRIPTION),
    hasWorth: html.includes('"asksWorth":true'),
    entries: /=\{"scripts":\[([^\]]*)/.exec(html)?.[1]?.split(',').length ?? 0,
  };
}
