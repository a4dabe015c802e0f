import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { leadSecretHeader } from '../../contract/lead.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import { variantsOf } from './experiments.ts';

/** Longest user agent that is kept. */
const USER_AGENT_CHARACTERS = 500;

/** Reads the sender off a request; the address comes through the trusted proxies only. */
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

/** Where the visitor's browser finds the site; a host that no browser could have asked for is this machine. */
function siteOriginOf({ protocol, host }: FastifyRequest): string {
  return URL.parse(`${protocol}://${host}`)?.origin ?? `${protocol}://localhost`;
}

/** The lead that a check is about, with the proof whose it is; undefined: the request names none. */
export function leadOf(request: FastifyRequest, leadId: string | undefined): OwnedLead | undefined {
  if (leadId === undefined) return undefined;
  const secret = secretSha256(request.headers[leadSecretHeader]);
  return { leadId: leadId.toLowerCase(), secretSha256: secret };
}

/** Only the hash of the secret goes further; an empty one is none. */
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
 * The address as buyers take it: some proxies add the port or write a word ("unknown"), and a socket
 * that serves both families wraps IPv4 addresses in IPv6 ones. Undefined for what is no address.
 */
export function plainAddress(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const [, bracketed, dotted] = WITH_PORT.exec(given.trim()) ?? [];
  const bare = (bracketed ?? dotted ?? given.trim()).replace(/%.*$/, '');
  const address = MAPPED.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : address;
}
