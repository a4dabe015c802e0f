/** Makes routes accept HTML forms that our own pages post. */
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Maximum size of a posted form in bytes. */
const MAX_FORM_BYTES = 64 * 1024;

/** Makes all routes of `app` accept posted forms. Must be called before adding routes. */
export async function takePostedForms(app: FastifyInstance, publicUrl?: string): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: MAX_FORM_BYTES });
  app.addHook('onRequest', async (request) => {
    if (request.method === 'POST' && !isFromOwnPage(request, publicUrl)) {
      throw Object.assign(new Error('The form came from another site'), { statusCode: 403 });
    }
  });
}

/** Returns false if the headers show that a page of another site sent the request. */
function isFromOwnPage(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  // `none` means that the visitor, not a page, caused the request, for example by reloading.
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (origin === undefined) return true;
  // Compares only the hosts, because the protocol is unknown behind an untrusted proxy.
  const host = hostOf(origin);
  return host !== undefined && (host === request.host || host === hostOf(publicUrl));
}

export function hostOf(address = ''): string | undefined {
  return URL.parse(address)?.host;
}

/** Returns the names and values of a posted form. */
export function postedFields(body: unknown): [name: string, value: string][] {
  const values = Object.entries((body ?? {}) as Record<string, string | string[]>);
  return values.flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
}

/** Returns the fields of a posted form by name, with the first value of a repeated name. */
export function formFields(body: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(postedFields(body).toReversed());
}

/** Redirects a browser after a posted form. `address` must not contain personal values. */
export function seeOther(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}
