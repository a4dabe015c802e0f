/**
 * Remembers the click of a visit to the site's pages for the contact form, which is seldom on the landing page
 * (docs/specification.md#contact-form). A cookie holds the lead's tracking fields as a query string, nothing
 * personal. It works with and without a script.
 */
import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { siteClickCookie } from '../../contract/site-click.ts';
import { takeContactDetails } from '../../domain/contact-parameters.ts';
import { DEFAULT_SUB_ID, isPlaceholder, readTracking, utmNames } from '../../domain/tracking.ts';
import { setSiteCookie } from './site-cookie.ts';

/** As long as the visit of a survey can be resumed. */
const LIFETIME_SECONDS = 24 * 60 * 60;
/** The longest stored value: longer than any click id. */
const VALUE_CHARACTERS = 500;
/** The cookie's size limit: browsers store about 4 kB. Fields beyond it are dropped. */
const COOKIE_CHARACTERS = 3_000;

/** Stores the click in a page's address, if there is one, in the visitor's cookie. */
export function keepSiteClick(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
): void {
  const [path = '', search = ''] = (request.raw.url ?? '').split('?');
  const click = clickOf(search);
  if (Object.keys(click).length === 0) return;
  const { referer } = request.headers;
  const isPage = referer !== undefined && URL.canParse(referer);
  const found = {
    landing_page: (publicUrl ?? `${request.protocol}://${request.host}`) + path,
    ...(isPage && { page_referer: takeContactDetails(referer).href.split('?')[0] ?? '' }),
    ...click,
  };
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries(found)) {
    const entry: [string, string] = [name, value.slice(0, VALUE_CHARACTERS)];
    const longer = new URLSearchParams([...kept, entry]);
    if (encodeURIComponent(`${longer}`).length <= COOKIE_CHARACTERS) kept.set(...entry);
  }
  setSiteCookie(request, reply, {
    ...{ name: siteClickCookie, value: `${kept}`, maxAgeSeconds: LIFETIME_SECONDS },
    // The form's script reads it.
    isForScripts: true,
  });
}

/** Returns the tracking fields of a query, without empty ones. */
function clickOf(search: string): Record<string, string> {
  const tracking = Object.entries(readTracking(search)).filter(
    ([name, value]) => value !== '' && !(name === 'sub_id' && value === DEFAULT_SUB_ID),
  );
  const query = new URLSearchParams(search);
  const utm = utmNames.flatMap((name) => {
    const value = query.get(name) ?? '';
    return value.trim() === '' || isPlaceholder(value) ? [] : [[name, value]];
  });
  return Object.fromEntries([...utm, ...tracking]);
}

/** Returns the tracking fields of this visitor's click; empty if unknown. */
export function siteClick(request: FastifyRequest): Readonly<Record<string, string>> {
  const kept = parseCookie(request.headers.cookie ?? '')[siteClickCookie] ?? '';
  return Object.fromEntries(new URLSearchParams(kept));
}
