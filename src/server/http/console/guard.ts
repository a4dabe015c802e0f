/** Refuses requests that a page of another site could have made. */
import type { FastifyRequest } from 'fastify';
import { isUnownedName } from '../../platform/host-names.ts';

/** No form can send a header, and no foreign page may send this one: the console grants no CORS. */
const OWN_HEADER = 'x-console';

/** Returns whether a request only reads. */
export function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Returns whether the name that the browser asked for is ours. A foreign name that points here (DNS rebinding)
 * would make our answers readable to its pages.
 */
export function isForUs(request: FastifyRequest, publicUrl: string | undefined): boolean {
  return isUnownedName(request.hostname) || request.host === hostOf(publicUrl);
}

/**
 * Returns whether one of the console's own pages sent the request, or no browser did. Cookies ignore ports, so
 * pages of other programs on the same host count as foreign too.
 */
export function isFromOwnPage(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (isReading(request)) return true;
  if (request.headers[OWN_HEADER] !== '1') return false;
  return origin === undefined || origin === ownOrigin(request, publicUrl);
}

/** Returns whether a request without a body, or with one in JSON, was sent. Forms cannot send JSON. */
export function isJsonOrEmpty({ headers }: FastifyRequest): boolean {
  const isEmpty =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  return isEmpty || /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/** Returns the origin that the operator's browser shows. */
export function ownOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl !== undefined && request.host === hostOf(publicUrl)
    ? publicUrl
    : `${request.protocol}://${request.host}`;
}

function hostOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : new URL(address).host;
}
