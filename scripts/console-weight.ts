import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipBytes } from './page-weight.ts';

/** A file in Vite's manifest, by the name of its source. */
type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
};

/** What the console loads until one of its pages is usable, in bytes of gzip. */
export type ConsoleWeight = {
  readonly name: string;
  readonly bytes: number;
  /** The style sheets' part. */
  readonly css: number;
};

/** Returns the weight of each page of the built console, together with the frame around it. */
export function weighConsole(dist: string): ConsoleWeight[] {
  const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const pages = Object.keys(manifest).filter((key) => /^pages\/[^/]+\/index\.tsx$/.test(key));
  return pages.map((page) => {
    const files = filesOf(manifest, ['index.html', page]);
    const sizes = files.map((file) => [file, gzipBytes(readFileSync(join(dist, file)))] as const);
    const sum = (each: typeof sizes) => each.reduce((total, [, bytes]) => total + bytes, 0);
    return {
      name: page.split('/')[1] ?? page,
      bytes: sum(sizes),
      css: sum(sizes.filter(([file]) => file.endsWith('.css'))),
    };
  });
}

function filesOf(manifest: Readonly<Record<string, Chunk>>, entries: readonly string[]): string[] {
  const seen = new Set<string>();
  const files = new Set<string>();
  const add = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    files.add(chunk.file);
    for (const sheet of chunk.css ?? []) files.add(sheet);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const entry of entries) add(entry);
  return [...files];
}
