import type { APIRoute } from 'astro';
import type { PageDeclaration } from '../../../model/messages/page-manifest.ts';
import { pageEntries } from '../page-entries.ts';

type Modules = Record<string, { page?: PageDeclaration }>;

/** The manifest of the pages, for `scripts/build.ts` only. */
export const GET: APIRoute = () => {
  const files: Modules = import.meta.glob('./**/*.{astro,ts}', { eager: true });
  const layouts: Modules = import.meta.glob('../layouts/*.astro', { eager: true });
  const declared = (modules: Modules) =>
    new Map(Object.entries(modules).map(([file, { page }]) => [file, page]));
  return Response.json(pageEntries(declared(files), declared(layouts)));
};
