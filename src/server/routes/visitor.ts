import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Visitor } from '../leads/visitor.ts';

/** Longest user agent that is kept. */
const USER_AGENT_CHARACTERS = 500;

/** Reads the sender off a request; the address comes through the trusted proxies only. */
export function visitorOf(request: FastifyRequest): Visitor {
  const { headers } = request;
  const address = plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress) ?? '';
  return {
    address,
    addressKey: normalizeIP(address, 64),
    userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS),
    secGpc: headers['sec-gpc'] === '1',
    page: withoutQuery(headers.referer),
    siteOrigin: `${request.protocol}://${request.host}`,
  };
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
