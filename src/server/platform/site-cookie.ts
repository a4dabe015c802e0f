/** Reads and sets the site's cookies. */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** True if `PUBLIC_URL` is https. */
    isPublicHttps?: boolean;
  }
}

/** A cookie for all paths of the site. */
type SiteCookie = {
  readonly name: string;
  readonly value: string;
  /** The cookie's lifetime. 0 deletes the cookie. */
  readonly maxAgeSeconds: number;
  /** True if scripts may read the cookie. Default: false. */
  readonly isForScripts?: true;
};

/** Returns whether visitors use https, even if a proxy hides the protocol. */
export const isHttps = ({ protocol, server }: FastifyRequest) =>
  protocol.toLowerCase() === 'https' || server.isPublicHttps === true;

/** Under https, adds `__Host-` to the name, so that no sibling subdomain can set the cookie. */
const browserName = (request: FastifyRequest, name: string) =>
  isHttps(request) ? `__Host-${name}` : name;

/** Returns the value of a cookie of the site, or '' if the request has none or several. */
export const siteCookie = (request: FastifyRequest, name: string) =>
  onlyCookie(request, browserName(request, name));

/** Returns a cookie's value, or '' if there are several, because another site may have set one. */
export function onlyCookie({ headers }: FastifyRequest, name: string): string {
  const all = (headers.cookie ?? '').split(';').map((each) => each.trim());
  const found = all.filter((each) => each.startsWith(`${name}=`));
  return (found.length === 1 && parseCookie(found[0] ?? '')[name]) || '';
}

/** Sets a cookie with `SameSite=Lax`. */
export function setSiteCookie(
  reply: FastifyReply,
  { name, value, maxAgeSeconds, isForScripts }: SiteCookie,
): void {
  const { request } = reply;
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
