import type { APIRoute } from 'astro';
import type { PageDeclaration } from '../../contract/page-manifest.ts';
import { pageEntries } from '../page-entries.ts';

/** What the pages say of themselves, for `scripts/build.ts`; it has no address on the site. */
export const GET: APIRoute = () => {
  const modules = import.meta.glob<{ page?: PageDeclaration }>('./**/*.{astro,ts}', {
    eager: true,
  });
  return Response.json(
    pageEntries(Object.entries(modules).map(([file, { page }]) => [file, page])),
  );
};
