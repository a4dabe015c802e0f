/** Reads and sets the site's cookies, with `Secure` and the name's prefix by one rule. */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether `PUBLIC_URL` is https. */
    isPublicHttps?: boolean;
  }
}

/** A cookie for all addresses of the site. */
type SiteCookie = {
  readonly name: string;
  readonly value: string;
  /** 0 deletes the cookie. */
  readonly maxAgeSeconds: number;
  /** The page's scripts read it, so its name has no prefix. Default: hidden from scripts. */
  readonly isForScripts?: true;
};

/**
 * Returns whether visitors use https. Behind an untrusted proxy the request's protocol may be
 * wrong, so `PUBLIC_URL` counts as well.
 */
export const isHttps = ({ protocol, server }: FastifyRequest) =>
  protocol === 'https' || server.isPublicHttps === true;

/**
 * Returns a cookie's name in the browser. Under https it has the prefix `__Host-`, which browsers accept from
 * this host only, so that a sibling subdomain cannot set it.
 */
const browserName = (request: FastifyRequest, name: string) =>
  isHttps(request) ? `__Host-${name}` : name;

/** Returns the value of a cookie of the site, or '' if the request has none or several. */
export const siteCookie = (request: FastifyRequest, name: string) =>
  onlyCookie(request, browserName(request, name));

/**
 * Returns the value of a cookie, or '' if the request has none or several: without https another program on the host
 * could have planted one with a longer path.
 */
export function onlyCookie({ headers }: FastifyRequest, name: string): string {
  const all = (headers.cookie ?? '').split(';').map((each) => each.trim());
  const found = all.filter((each) => each.startsWith(`${name}=`));
  return (found.length === 1 && parseCookie(found[0] ?? '')[name]) || '';
}

/** Sets a cookie; `SameSite=Lax` keeps it out of other sites' posts. */
export function setSiteCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, maxAgeSeconds, isForScripts }: SiteCookie,
): void {
  reply.header(
    'set-cookie',
    stringifySetCookie({
      name: isForScripts ? name : browserName(request, name),
      value,
      path: '/',
      maxAge: maxAgeSeconds,
      httpOnly: !isForScripts,
      sameSite: 'lax',
      secure: isHttps(request),
    }),
  );
}
