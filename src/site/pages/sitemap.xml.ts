import type { APIRoute } from 'astro';
import { sitemapXml } from '../sitemap.ts';

export const GET: APIRoute = ({ locals: { origin } }) =>
  new Response(sitemapXml(origin), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  });
