import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PageScript } from '../src/server/http/page-document.ts';

const dist = join(import.meta.dirname, '..', 'dist');

/** The sizes of a page's parts, in bytes of gzip unless stated otherwise. */
export type PageWeight = {
  /** Every script loaded before the page is idle, including inline ones. */
  readonly javascript: number;
  /** The scripts loaded from then on: when the page is idle, and with the last step. */
  readonly later: number;
  /** The style sheets loaded with those. */
  readonly laterCss: number;
  /** Style sheets loaded at once, inline and linked. */
  readonly css: number;
  /** How many script files the document names. */
  readonly entries: number;
};

export function gzipBytes(content: Buffer | string): number {
  return gzipSync(content, { level: 9 }).length;
}

const fileOf = (address: string) => readFileSync(join(dist, 'client', address));

/** Returns every script that a page loads: named ones with their imports, and those on demand. */
function allScripts(html: string, scripts: readonly PageScript[]) {
  // Only posted forms, few visitors, and surveys with one-to-one consent load these.
  const few = 'posted-visit|rare';
  const others = RegExp(html.includes('"buyers":') ? few : `${few}|one-to-one`);
  const files = new Set<string>();
  const later = new Set<string>();
  const add = (file: string, to: Set<string>) => {
    if (files.has(file) || later.has(file)) return;
    to.add(file);
    const script = scripts.find((candidate) => candidate.file === file);
    for (const imported of script?.imports ?? []) add(imported, to);
  };
  for (const match of html.matchAll(/"(\/_astro\/[^"]+\.js)"/g)) {
    add(match[1] ?? '', files);
  }
  const onDemand = /import\(\s*["'`]\.\/([^"'`]+)["'`]\s*\)/g;
  const addImported = (file: string) => {
    for (const [, name = ''] of fileOf(file).toString().matchAll(onDemand)) {
      if (!others.test(name)) add(`/_astro/${name}`, later);
    }
  };
  // A later script's own ones, too: the loop reaches what it adds.
  for (const file of files) addImported(file);
  for (const file of later) addImported(file);
  return { files: [...files], later: [...later] };
}

/**
 * @param page a built page, ready to send
 * @param scripts all script files of the build
 */
export function weighPage(
  page: { readonly identity: Buffer },
  scripts: readonly PageScript[],
): PageWeight {
  const html = page.identity.toString();
  const { files, later } = allScripts(html, scripts);
  const inline = html.matchAll(
    /<script(?![^>]*(?:src=|"application\/json"))[^>]*>([\s\S]*?)<\/script>/g,
  );
  const sum = (parts: readonly (Buffer | string)[]) =>
    parts.reduce((bytes, part) => bytes + gzipBytes(part), 0);
  // Later style sheets are also in a <noscript>, which loads them at once without scripts.
  const sheets = [
    ...html
      .replaceAll(/<noscript>.*?<\/noscript>/gs, '')
      .matchAll(/href="(\/_astro\/[^"]+\.css)"( disabled)?/g),
  ];
  const sheetBytes = (isLater: boolean) =>
    sum(
      sheets
        .filter(([, , disabled]) => (disabled !== undefined) === isLater)
        .map(([, file = '']) => fileOf(file)),
    );
  return {
    javascript:
      sum(files.map(fileOf)) + gzipBytes([...inline].map(([, script]) => script).join('')),
    later: sum(later.map(fileOf)),
    laterCss: sheetBytes(true),
    css:
      gzipBytes([...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((m) => m[1]).join('')) +
      sheetBytes(false),
    entries: /=\{"scripts":\[([^\]]*)/.exec(html)?.[1]?.split(',').length ?? 0,
  };
}
