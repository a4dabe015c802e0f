import type { APIRoute } from 'astro';
import { languages } from '../../../model/fields/language.ts';
import { pageIds, siteMap, surveyPaths } from '../site-map.ts';

/** Returns the site map for search engines: every page in each language, and the linked surveys. */
function sitemapXml(origin: string): string {
  const entries = [...pageIds.map((id) => siteMap[id].paths), surveyPaths].flatMap((paths) => {
    const versions = languages.flatMap((language) => {
      const path = paths[language];
      return path === undefined ? [] : [{ language, address: origin + path }];
    });
    const links =
      versions.length < 2
        ? ''
        : versions
            .map(
              ({ language, address }) =>
                `<xhtml:link rel="alternate" hreflang="${language}" href="${address}"/>`,
            )
            .join('');
    return versions.map(({ address }) => `<url><loc>${address}</loc>${links}</url>`);
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

export const GET: APIRoute = ({ locals: { origin } }) =>
  new Response(sitemapXml(origin), {
    headers: { 'content-type': 'application/xml; charset=utf-8' },
  });
