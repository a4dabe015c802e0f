import type { PageDeclaration, PageEntry } from '../../model/messages/page-manifest.ts';
import { places } from './site-map.ts';

/** Routes that only the build reads. */
const FOR_THE_BUILD: readonly string[] = [
  '/page-manifest.json',
  '/survey-later.css',
  '/verifier-file/',
];

type Declarations = ReadonlyMap<string, PageDeclaration | undefined>;

/**
 * Returns the manifest of the pages in the site map and of the files in `src/web/site/pages/`. A page's path ends in
 * a slash, a file's (`/robots.txt`) does not.
 *
 * @param files the declaration of each file, by its path relative to `pages/`
 * @param layouts the declaration of each layout, by its path relative to `pages/`
 * @throws if a file with a parameter in its path does not declare its addresses
 */
export function pageEntries(files: Declarations, layouts: Declarations): PageEntry[] {
  const ofFiles = [...files].map(([file, declared = {}]) => {
    const source = sourceOf(file);
    if (source.includes('[') && declared.at === undefined) {
      throw new Error(
        `${file} has a parameter in its path, so its page.at must list its addresses`,
      );
    }
    return entryOf(source, declared);
  });
  const ofSiteMap = places.map(({ path, language, layout }): PageEntry => {
    const { form, ...declared } = layouts.get(`../layouts/${layout}.astro`) ?? {};
    return {
      ...entryOf(path, declared),
      ...(form && { form: { name: form, language } }),
    };
  });
  return [...ofFiles, ...ofSiteMap]
    .filter(({ source }) => !FOR_THE_BUILD.includes(source))
    .sort((a, b) => (a.source < b.source ? -1 : 1));
}

function entryOf(source: string, declared: PageDeclaration): PageEntry {
  const { at = [source], query = {}, headers = {}, saysSignal } = declared;
  return { source, at, query, headers, ...(saysSignal && { saysSignal }) };
}

function sourceOf(file: string): string {
  const path = file.replace(/^\.\//, '/').replace(/\.(astro|ts)$/, '');
  if (/\.\w+$/.test(path)) return path;
  return path.replace(/\/index$/, '/').replace(/([^/])$/, '$1/');
}
