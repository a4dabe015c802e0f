/** Stores a visitor's newest ad click in a cookie (docs/specification.md#click-of-a-visit). */
import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takeContactDetails } from '../../model/fields/contact-parameters.ts';
import {
  adClickNames,
  clickParameter,
  DEFAULT_SUB_ID,
  isPlaceholder,
  readTracking,
  utmNames,
  withoutAdIds,
} from '../../model/fields/tracking.ts';
import { callNumberKey, siteClickCookie } from '../../model/messages/site-click.ts';
import { onlyCookie, setSiteCookie } from '../platform/site-cookie.ts';
import { siteOriginOf } from './visitor.ts';

/** The cookie's lifetime, equal to the time for which a visit can be resumed. */
const LIFETIME_SECONDS = 24 * 60 * 60;
/** Maximum length of a parameter's value. Longer values are cut. */
const VALUE_CHARACTERS = 500;
/** Maximum length of the cookie, because browsers store only about 4 kB. */
const COOKIE_CHARACTERS = 3_000;

/** The parameters of an ad click by field, without empty values. */
type Click = Readonly<Record<string, string>>;

/** Stores the ad click's parameters from a page's URL in the visitor's cookie. */
export function storeSiteClick(reply: FastifyReply, publicUrl?: string): void {
  const { request } = reply;
  const { path, search } = addressOf(request);
  const click = clickOf(search, request);
  if (Object.keys(click).length === 0 || continues(click, siteClick(request))) return;
  const { referer = '' } = request.headers;
  const fields = {
    landing_page: (publicUrl ?? siteOriginOf(request)) + path,
    ...(URL.canParse(referer) && { page_referer: takeContactDetails(referer).href.split('?')[0] }),
    ...click,
  };
  const stored = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    const entry: [string, string] = [name, value.slice(0, VALUE_CHARACTERS)];
    const longer = new URLSearchParams([...stored, entry]);
    if (encodeURIComponent(`${longer}`).length <= COOKIE_CHARACTERS) stored.set(...entry);
  }
  setSiteCookie(reply, {
    name: siteClickCookie,
    value: `${stored}`,
    maxAgeSeconds: LIFETIME_SECONDS,
    // The script of a page with a form reads the cookie.
    isForScripts: true,
  });
  if (parseCookie(request.headers.cookie ?? '')[callNumberKey] === undefined) return;
  const deleted = { name: callNumberKey, value: '', maxAgeSeconds: 0 };
  setSiteCookie(reply, { ...deleted, isForScripts: true });
}

/** Returns a survey's URL with the stored ad click's parameters; undefined without a change. */
export function withSiteClick(request: FastifyRequest): string | undefined {
  const { path, search } = addressOf(request);
  const own = clickOf(search, request);
  if (Object.keys(own).some((name) => name !== 'ef_transaction_id')) return undefined;
  const { landing_page: _, page_referer: __, ...click } = siteClick(request);
  const query = new URLSearchParams(search);
  const missing = Object.entries(click).filter(([name]) => own[name] === undefined);
  if (missing.length === 0) return undefined;
  for (const [name, value] of missing) query.set(clickParameter(name), value);
  return `${path}?${query}`;
}

/** Returns the landing page of a visit that begins with a form posted from `href`. */
export function landingOfForm(request: FastifyRequest, href: string) {
  const { landing_page = '', page_referer: referrer = '', ...click } = siteClick(request);
  const isOwn = continues(click, clickOf(new URL(href).search, request));
  // The cached form is the same for every visitor, so it cannot contain the visitor's referrer.
  if (isOwn || !URL.canParse(landing_page)) return { href, referrer: '' };
  const query = Object.entries(click).map(([name, value]) => [clickParameter(name), value]);
  return { href: `${landing_page}?${new URLSearchParams(query)}`, referrer };
}

/** Returns whether two ad clicks have the same parameters, except a new transaction id. */
function continues(click: Click, other: Click): boolean {
  const isOther = ([name, value]: [string, string]) =>
    other[name] !== value && (name !== 'ef_transaction_id' || Object.keys(other).length === 0);
  return !Object.entries(click).some(isOther);
}

function clickOf(search: string, { headers }: FastifyRequest): Click {
  const tracking = Object.entries(readTracking(search)).filter(
    ([name, value]) => value !== '' && !(name === 'sub_id' && value === DEFAULT_SUB_ID),
  );
  const query = new URLSearchParams(search);
  const named = [...adClickNames, ...utmNames].flatMap((name) => {
    const value = query.get(name) ?? '';
    return value.trim() === '' || isPlaceholder(value) ? [] : [[name, value]];
  });
  const click: Click = Object.fromEntries([...named, ...tracking]);
  return headers['sec-gpc'] === '1' ? withoutAdIds(click) : click;
}

/** Returns a request's path and query. */
function addressOf({ raw: { url = '' } }: FastifyRequest): { path: string; search: string } {
  const [path = ''] = url.split('?', 1);
  return { path, search: url.slice(path.length + 1) };
}

/** Returns the ad click in the visitor's cookie; empty without a valid one. */
export function siteClick(request: FastifyRequest): Click {
  const stored = Object.fromEntries(new URLSearchParams(onlyCookie(request, siteClickCookie)));
  const query = Object.entries(stored).map(([name, value]) => [clickParameter(name), value]);
  const pages = ['landing_page', 'page_referer'].flatMap((name) => {
    const page = stored[name] ?? '';
    return URL.canParse(page) ? [[name, page]] : [];
  });
  return { ...Object.fromEntries(pages), ...clickOf(`${new URLSearchParams(query)}`, request) };
}
