/** Reads and sets the site's cookies: one rule decides on `Secure` and on the name's prefix. */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** `PUBLIC_URL` is https, whatever the proxies in between say. */
    isPublicHttps?: boolean;
  }
}

/** A cookie for every address of the site; no script reads it. */
export type SiteCookie = {
  readonly name: string;
  readonly value: string;
  /** 0: the browser forgets the cookie. */
  readonly maxAgeSeconds: number;
};

/** A proxy that is not trusted with the protocol still stands on an address of https. */
function isHttps(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.server.isPublicHttps === true;
}

/**
 * Returns the name that a cookie has in the browser. Under https it has the prefix `__Host-`: a browser takes
 * such a cookie only from this very host, so a sibling subdomain cannot plant one.
 */
function browserName(request: FastifyRequest, name: string): string {
  return isHttps(request) ? `__Host-${name}` : name;
}

/** Returns the value of a cookie, or '' where the request brings none. */
export function siteCookie(request: FastifyRequest, name: string): string {
  return parseCookie(request.headers.cookie ?? '')[browserName(request, name)] ?? '';
}

/** Gives the browser a cookie; `SameSite=Lax` keeps it out of other sites' posts. */
export function setSiteCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, maxAgeSeconds }: SiteCookie,
): void {
  reply.header(
    'set-cookie',
    stringifySetCookie({
      name: browserName(request, name),
      value,
      path: '/',
      maxAge: maxAgeSeconds,
      httpOnly: true,
      sameSite: 'lax',
      secure: isHttps(request),
    }),
  );
}
