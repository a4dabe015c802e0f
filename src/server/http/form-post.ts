/** Shared rules for routes that take posted HTML forms: only form-encoded bodies, only from our own pages. */
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The largest form in bytes. Percent-encoding triples most characters other than letters. */
const MAX_FORM_BYTES = 64 * 1024;

/**
 * Makes all routes of a plugin take posted forms. Call it before adding routes. Other media types than
 * `application/x-www-form-urlencoded` get 415, and posts from pages of other sites get 403.
 *
 * @param publicUrl the site's public address, if set
 */
export async function takePostedForms(
  app: FastifyInstance,
  publicUrl: string | undefined,
): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: MAX_FORM_BYTES });
  app.addHook('onRequest', async (request) => {
    if (request.method === 'POST' && !isFromOwnPage(request, publicUrl)) {
      throw Object.assign(new Error('The form came from another site'), { statusCode: 403 });
    }
  });
}

/**
 * Returns false if headers show that a page of another site sent the request. `Sec-Fetch-Site` decides, or else
 * `Origin`. A request with neither is not from a current browser; it cannot abuse a login, as there are none.
 */
function isFromOwnPage(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  // `none`: the visitor reloaded the page.
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (origin === undefined) return true;
  // Compare hosts only: behind a proxy that is not trusted, the protocol may be wrong.
  const host = hostOf(origin);
  return host !== undefined && (host === request.host || host === hostOf(publicUrl));
}

function hostOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

/**
 * Returns path and query of our page that holds the form, or undefined if the browser does not name it. Browsers
 * name it to our own host because of `Referrer-Policy: same-origin`.
 */
export function postingPage(
  request: FastifyRequest,
  publicUrl: string | undefined,
): { readonly path: string; readonly search: string } | undefined {
  const { referer } = request.headers;
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { host, pathname: path, search } = new URL(referer);
  return host === request.host || host === hostOf(publicUrl) ? { path, search } : undefined;
}

/** Returns the names and values of a posted form. */
export function postedFields(body: unknown): [name: string, value: string][] {
  return Object.entries((body ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((each): [string, string][] => (typeof each === 'string' ? [[name, each]] : [])),
  );
}

/** Returns the fields of a posted form by name; of a repeated name, the first value counts. */
export function formFields(body: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(postedFields(body).toReversed());
}

/**
 * Redirects a browser that posted a form to a result page, so that a reload posts nothing again. The address
 * must hold nothing personal.
 */
export function seeOther(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}
