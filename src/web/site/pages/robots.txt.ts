import type { APIRoute } from 'astro';

/** Allows crawlers to read every page, because they must read a page to see its `noindex`. */
export const GET: APIRoute = ({ locals: { origin } }) =>
  new Response(
    `User-agent: *\nDisallow: /api/\nDisallow: /post-lead\n\nSitemap: ${origin}/sitemap.xml\n`,
    { headers: { 'content-type': 'text/plain; charset=utf-8' } },
  );
