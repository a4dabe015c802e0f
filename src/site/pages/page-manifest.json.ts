import type { APIRoute } from 'astro';
import type { PageDeclaration } from '../../contract/page-manifest.ts';
import { pageEntries } from '../page-entries.ts';

/** The manifest of the pages, for `scripts/build.ts` only. */
export const GET: APIRoute = () => {
  const modules = import.meta.glob<{ page?: PageDeclaration }>('./**/*.{astro,ts}', {
    eager: true,
  });
  return Response.json(
    pageEntries(Object.entries(modules).map(([file, { page }]) => [file, page])),
  );
};
