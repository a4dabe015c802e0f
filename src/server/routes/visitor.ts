import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { leadSecretHeader } from '../../contract/lead.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import { variantsOf } from './experiments.ts';

/** The longest user agent to keep. */
const USER_AGENT_CHARACTERS = 500;

/** Returns the sender of a request. Only trusted proxies may name the address. */
export function visitorOf(request: FastifyRequest): Visitor {
  const { headers } = request;
  const address =
    plainAddress(request.visitorAddress) ??
    plainAddress(request.ip) ??
    plainAddress(request.socket.remoteAddress) ??
    '';
  return {
    address,
    addressKey: normalizeIP(address, 64),
    networkKey: normalizeIP(address, 48),
    userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS),
    secGpc: headers['sec-gpc'] === '1',
    variants: variantsOf(request),
    secretSha256: secretSha256(headers[leadSecretHeader]),
    page: withoutQuery(headers.referer),
    siteOrigin: siteOriginOf(request),
  };
}

/** Returns the site's origin as the browser sees it; localhost if the `Host` header is invalid. */
function siteOriginOf({ protocol, host }: FastifyRequest): string {
  return URL.parse(`${protocol}://${host}`)?.origin ?? `${protocol}://localhost`;
}

/** Returns the lead of a check, with the hash of its secret; undefined if the request names none. */
export function leadOf(request: FastifyRequest, leadId: string | undefined): OwnedLead | undefined {
  if (leadId === undefined) return undefined;
  const secret = secretSha256(request.headers[leadSecretHeader]);
  return { leadId: leadId.toLowerCase(), secretSha256: secret };
}

/** Returns the hash of the secret, or null if there is none. */
function secretSha256(secret: string | string[] | undefined): string | null {
  if (typeof secret !== 'string' || secret === '') return null;
  return hash('sha256', secret, 'base64url');
}

function withoutQuery(address: string | undefined): string {
  if (address === undefined || !URL.canParse(address)) return '';
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the address in the form that buyers accept, or undefined if it is invalid. Some proxies add the
 * port or send a word ("unknown"), and dual-stack sockets wrap IPv4 addresses in IPv6.
 */
export function plainAddress(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const [, bracketed, dotted] = WITH_PORT.exec(given.trim()) ?? [];
  const bare = (bracketed ?? dotted ?? given.trim()).replace(/%.*$/, '');
  const address = MAPPED.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : address;
}
