import type { APIRoute } from 'astro';
import { languages } from '../../../model/fields/language.ts';
import { pageIds, siteMap, surveyPaths } from '../site-map.ts';

/** Lists every page and every linked survey for search engines, with the translations. */
export const GET: APIRoute = ({ locals: { origin } }) => {
  const listed = [...pageIds.map((id) => siteMap[id].paths), surveyPaths];
  const urls = listed.flatMap((paths) => {
    const alternates = languages.map(
      (language) =>
        `<xhtml:link rel="alternate" hreflang="${language}" href="${origin}${paths[language]}"/>`,
    );
    return languages.map(
      (language) => `<url><loc>${origin}${paths[language]}</loc>${alternates.join('')}</url>`,
    );
  });
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>\n',
  ].join('\n');
  return new Response(xml, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
};
