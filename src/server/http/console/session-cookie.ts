/** The cookie with the secret of an operator's session, and the one that binds a sign-in elsewhere to the browser. */
import { stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { onlyCookie } from '../../platform/site-cookie.ts';

const DAY_SECONDS = 24 * 60 * 60;

type CookieKind = 'session' | 'oidc';

/**
 * `session` never leaves the console: other sites' links and forms go without it. `oidc` has to come along when
 * the identity provider sends the browser back.
 */
const kinds = {
  session: { sameSite: 'strict', maxAge: 7 * DAY_SECONDS },
  oidc: { sameSite: 'lax', maxAge: 600 },
} as const;

/**
 * Returns the cookie's name. Under https browsers take it from this host only. Without https it names the port,
 * because all programs on one host share their cookies.
 */
function nameOf(kind: CookieKind, request: FastifyRequest, isSecure: boolean): string {
  return isSecure ? `__Host-console-${kind}` : `console-${kind}-${request.port ?? 80}`;
}

/** Returns whether the operator's browser uses https. */
function isSecure(request: FastifyRequest, publicUrl: string | undefined): boolean {
  return request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false);
}

/** Returns the value of a cookie; undefined if the request has none or several. */
export function readCookie(
  kind: CookieKind,
  request: FastifyRequest,
  publicUrl: string | undefined,
): string | undefined {
  return onlyCookie(request, nameOf(kind, request, isSecure(request, publicUrl))) || undefined;
}

/** Sets a cookie, or deletes it with a null value. */
export function writeCookie(
  kind: CookieKind,
  value: string | null,
  at: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  publicUrl: string | undefined,
): void {
  const { sameSite, maxAge } = kinds[kind];
  const secure = isSecure(at.request, publicUrl);
  at.reply.header(
    'set-cookie',
    stringifySetCookie({
      name: nameOf(kind, at.request, secure),
      value: value ?? '',
      maxAge: value === null ? 0 : maxAge,
      path: '/',
      httpOnly: true,
      sameSite,
      secure,
    }),
  );
}
