import type { APIRoute } from 'astro';

/** Pages that should not be found say so themselves, and have to be read for it; so all of them may be. */
export const GET: APIRoute = ({ locals: { origin } }) =>
  new Response(
    `User-agent: *\nDisallow: /api/\nDisallow: /post-lead\n\nSitemap: ${origin}/sitemap.xml\n`,
    {
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    },
  );
