import type { PageDeclaration, PageEntry } from '../contract/page-manifest.ts';
import { tracksCalls } from './site-map.ts';

/** Routes that only the build reads. */
const FOR_THE_BUILD: readonly string[] = [
  '/page-manifest.json',
  '/survey-later.css',
  '/verifier-file/',
];

/**
 * Returns the manifest of the pages in `src/site/pages/`. A page's path ends in a slash, a file's
 * (`/robots.txt`) does not.
 *
 * @param pages relative path of each file, with its declaration
 * @throws if a page with a parameter in its path does not declare its addresses
 */
export function pageEntries(
  pages: readonly (readonly [file: string, declared: PageDeclaration | undefined])[],
): PageEntry[] {
  return pages
    .map(([file, declared = {}]): PageEntry => {
      const source = sourceOf(file);
      if (source.includes('[') && declared.at === undefined) {
        throw new Error(
          `${file} has a parameter in its path, so its page.at must list its addresses`,
        );
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
