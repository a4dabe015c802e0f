import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PageScript } from '../src/server/routes/page-document.ts';

const dist = join(import.meta.dirname, '..', 'dist');

/** What a page weighs, in bytes of gzip where nothing else is said. */
export type PageWeight = {
  /** Every script that it loads, at once or later, and those in it. */
  readonly javascript: number;
  /** Style sheets, in the page and beside it. */
  readonly css: number;
  /** What its scripts read: texts and settings. */
  readonly data: number;
  /** The document itself, in bytes of brotli. */
  readonly document: number;
  /** Its script files, as addresses, and how many of them the document names. */
  readonly files: readonly string[];
  readonly entries: number;
};

export function gzipBytes(content: Buffer | string): number {
  return gzipSync(content, { level: 9 }).length;
}

const fileOf = (address: string) => readFileSync(join(dist, 'client', address));

/** Every script that a page loads, at once or later: those that it names and all that they can import. */
function allScripts(html: string, scripts: readonly PageScript[]): string[] {
  const files = new Set<string>();
  const add = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    const script = scripts.find((candidate) => candidate.file === file);
    for (const imported of script?.imports ?? []) add(imported);
    // Scripts that are loaded on demand.
    const onDemand = /import\(\s*["'`]\.\/([^"'`]+)["'`]\s*\)/g;
    for (const match of fileOf(file).toString().matchAll(onDemand)) add(`/_astro/${match[1]}`);
  };
  for (const match of html.matchAll(/(?:href|src)="(\/_astro\/[^"]+\.js)"/g)) add(match[1] ?? '');
  return [...files];
}

/**
 * @param page a built page, ready to send
 * @param scripts all script files of the build
 */
export function weighPage(
  page: { readonly identity: Buffer; readonly br: Buffer },
  scripts: readonly PageScript[],
): PageWeight {
  const html = page.identity.toString();
  const files = allScripts(html, scripts);
  const inline = [...html.matchAll(/<script(?![^>]*src=)[^>]*>([\s\S]*?)<\/script>/g)];
  const isData = (match: RegExpMatchArray) => match[0].includes('application/json');
  const sum = (parts: readonly (Buffer | string)[]) =>
    parts.reduce((bytes, part) => bytes + gzipBytes(part), 0);
  const sheets = [...html.matchAll(/href="(\/_astro\/[^"]+\.css)"/g)].map((m) => m[1] ?? '');
  return {
    javascript:
      sum(files.map(fileOf)) +
      sum(inline.filter((match) => !isData(match)).map((match) => match[1] ?? '')),
    css:
      gzipBytes([...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((m) => m[1]).join('')) +
      sum([...new Set(sheets)].map(fileOf)),
    data: sum(inline.filter(isData).map((match) => match[1] ?? '')),
    document: page.br.length,
    files,
    entries: [...html.matchAll(/<script type="module" src=/g)].length,
  };
}
