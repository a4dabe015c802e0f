import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Visitor } from '../leads/visitor.ts';

/** Longest user agent that is kept. */
const USER_AGENT_CHARACTERS = 500;

/** Reads the sender off a request; the address comes through the trusted proxies only. */
export function visitorOf(request: FastifyRequest): Visitor {
  const { headers } = request;
  return {
    address: request.ip,
    addressKey: normalizeIP(request.ip, 64),
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
