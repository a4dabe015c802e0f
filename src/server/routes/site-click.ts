/**
 * The click of a visit to the pages of the site, for the contact form (docs/specification.md#contact-form): the
 * page that an advertisement leads to is seldom the one with the form. A cookie carries it there, with a script
 * and without. It holds the fields of the lead, as a query string, and nothing personal.
 */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { siteClickCookie } from '../../contract/site-click.ts';
import { takeContactDetails } from '../../domain/contact-parameters.ts';
import { DEFAULT_SUB_ID, isPlaceholder, readTracking, utmNames } from '../../domain/tracking.ts';

/** As long as the visit of a survey is taken up again. */
const LIFETIME_SECONDS = 24 * 60 * 60;
/** Longer than any id of a click. */
const VALUE_CHARACTERS = 500;
/** A browser keeps some 4 kB; a click that has more is kept without what is beyond. */
const COOKIE_CHARACTERS = 3_000;

/** Keeps the click of a page's address in the visitor's browser, where the address has one. */
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
  reply.header(
    'set-cookie',
    stringifySetCookie({
      name: siteClickCookie,
      value: `${kept}`,
      path: '/',
      maxAge: LIFETIME_SECONDS,
      // The form's script reads it.
      httpOnly: false,
      sameSite: 'lax',
      secure: request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false),
    }),
  );
}

/** Returns the fields that a query says of its click; none of them empty. */
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

/** Returns the fields of the click of this visitor's visit; none: it is not known. */
export function siteClick(request: FastifyRequest): Readonly<Record<string, string>> {
  const kept = parseCookie(request.headers.cookie ?? '')[siteClickCookie] ?? '';
  return Object.fromEntries(new URLSearchParams(kept));
}
