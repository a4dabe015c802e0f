import type { APIRoute } from 'astro';
import { places, surveyPaths } from '../site-map.ts';

/** Lists every page and every linked survey for search engines, with the translations. */
export const GET: APIRoute = ({ locals: { origin } }) => {
  const paths = [...places.map(({ path }) => path), ...Object.values(surveyPaths)];
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...paths.map((path) => `<url><loc>${origin}${path}</loc></url>`),
    '</urlset>\n',
  ].join('\n');
  return new Response(xml, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
};
