/**
 * What routes that take a plain posted form have in common: the form's own media type and no other, and
 * only from a page of ours. A form needs no script, so it brings no header of ours that could show that.
 */
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './problem.ts';

/** The largest form that is taken, in bytes; percent-encoding makes three of most that are no letter. */
const MAX_FORM_BYTES = 64 * 1024;

/** A form's fields by name; a name that comes more than once has the value that came first. */
export type FormFields = Readonly<Record<string, string>>;

/**
 * Makes this scope one of posted forms: call it in a plugin of its own, before its routes are added. Its
 * routes take `application/x-www-form-urlencoded` and answer 415 to everything else; what a page of another
 * site had sent gets 403.
 *
 * @param publicUrl where visitors find the site, when it is set
 */
export async function takePostedForms(
  app: FastifyInstance,
  publicUrl: string | undefined,
): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: MAX_FORM_BYTES });
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST' && !isFromOwnPage(request, publicUrl)) {
      return sendProblem(reply, 403, 'foreign_page');
    }
  });
}

/**
 * Whether nothing says that a page of another site made the visitor's browser send this. `Sec-Fetch-Site`
 * decides where the browser sends it, else `Origin`. A request with neither comes from no browser of today,
 * and nobody's authority is in it that could be abused: no visitor is ever logged in.
 */
export function isFromOwnPage(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  // `none`: the visitor sent it again by hand.
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (origin === undefined) return true;
  // Of the host alone: a proxy that is not trusted with the protocol still hands the host on.
  const host = hostOf(origin);
  return host !== undefined && (host === request.host || host === hostOf(publicUrl));
}

function hostOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

/**
 * Path and query of the page of ours that has the form, as the browser names it: it does so to our own host
 * (`Referrer-Policy: same-origin`). Undefined: it does not.
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

/** The fields of a posted form. Never throws, whatever was posted. */
export function formFields(body: unknown): FormFields {
  const fields: Record<string, string> = Object.create(null);
  if (typeof body !== 'object' || body === null) return fields;
  for (const [name, value] of Object.entries(body)) {
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'string') fields[name] = first;
  }
  return fields;
}

/**
 * Sends a browser that posted a form to the page that says what became of it: it gets that page by itself,
 * and a reload posts nothing again. Nothing personal may be in the address.
 */
export function seeOther(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}
