import type { APIRoute } from 'astro';
import type { PageDeclaration, PageEntry } from '../../../model/messages/page-manifest.ts';
import { places } from '../site-map.ts';

const FOR_THE_BUILD = ['/page-manifest.json', '/verifier-file/'];

type Modules = Readonly<Record<string, { readonly page?: PageDeclaration }>>;

/** The manifest of all pages of the site, for `scripts/build.ts` only. */
export const GET: APIRoute = () => {
  const routes: Modules = import.meta.glob('./**/*.{astro,ts}', { eager: true });
  const layouts: Modules = import.meta.glob('../layouts/*.astro', { eager: true });
  const ofRoutes = Object.entries(routes).map(([file, { page = {} }]) =>
    entryOf(sourceOf(file), page),
  );
  const ofSiteMap = places.map(({ path, language, layout }): PageEntry => {
    const { form, ...declared } = layouts[`../layouts/${layout}.astro`]?.page ?? {};
    return { ...entryOf(path, declared), ...(form && { form: { name: form, language } }) };
  });
  const entries = [...ofRoutes, ...ofSiteMap]
    .filter(({ source }) => !FOR_THE_BUILD.includes(source))
    .sort((a, b) => (a.source < b.source ? -1 : 1));
  return Response.json(entries);
};

/** Returns a route's manifest entry. Throws if a route with a parameter declares no addresses. */
function entryOf(source: string, { at, query, headers, saysSignal }: PageDeclaration): PageEntry {
  if (source.includes('[') && !at)
    throw new Error(`The page.at of ${source} must list its addresses`);
  const declared = { at: at ?? [source], query: query ?? {}, headers: headers ?? {} };
  return { source, ...declared, ...(saysSignal && { saysSignal }) };
}

/** Returns a route's path, which ends with a slash if the route is a page. */
function sourceOf(file: string): string {
  const path = file.replace(/^\.\//, '/').replace(/\.(astro|ts)$/, '');
  if (/\.\w+$/.test(path)) return path;
  return `${path}/`;
}
