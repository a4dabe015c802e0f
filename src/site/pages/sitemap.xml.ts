import type { APIRoute } from 'astro';
import { sitemapXml } from '../sitemap.ts';

/** Every page that should be found. */
export const GET: APIRoute = ({ locals: { origin } }) =>
  new Response(sitemapXml(origin), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  });
