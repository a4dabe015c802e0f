import type { PageDeclaration, PageEntry } from '../contract/page-manifest.ts';
import { tracksCalls } from './site-map.ts';

/** No pages of the site: what the build makes files of. */
const FOR_THE_BUILD: readonly string[] = ['/page-manifest.json', '/survey-later.css'];

/**
 * The pages of `src/site/pages/`, each with its own word on where it stands. A page's own path ends in a
 * slash, a file's (`/robots.txt`) does not.
 *
 * @param pages relative path of each file, with its declaration
 * @throws when a page with a parameter in its path does not say where it stands
 */
export function pageEntries(
  pages: readonly (readonly [file: string, declared: PageDeclaration | undefined])[],
): PageEntry[] {
  return pages
    .map(([file, declared = {}]): PageEntry => {
      const source = sourceOf(file);
      if (source.includes('[') && declared.at === undefined) {
        throw new Error(`${file} does not say at which addresses it stands`);
      }
      return {
        source,
        at: declared.at ?? [source],
        query: declared.query ?? {},
        headers: declared.headers ?? {},
        ...(declared.saysSignal && { saysSignal: true }),
        ...(declared.form && { form: declared.form }),
        ...(tracksCalls(source) && { tracksCalls: true }),
      };
    })
    .filter(({ source }) => !FOR_THE_BUILD.includes(source))
    .sort((a, b) => (a.source < b.source ? -1 : 1));
}

function sourceOf(file: string): string {
  const path = file.replace(/^\.\//, '/').replace(/\.(astro|ts)$/, '');
  if (/\.\w+$/.test(path)) return path;
  return path.replace(/\/index$/, '/').replace(/([^/])$/, '$1/');
}
