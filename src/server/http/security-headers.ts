import type { FastifyInstance } from 'fastify';

/** How long browsers must use https only. */
const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * Sets the headers of every answer before any route runs; routes may replace them
 * (docs/specification.md#headers).
 *
 * @param transport whether the public address has https, and whether browsers must use it on all subdomains
 */
export function securityHeaders(
  app: FastifyInstance,
  transport: { readonly isHttps: boolean; readonly holdsSubdomains: boolean },
): void {
  const { isHttps, holdsSubdomains } = transport;
  const hsts = `max-age=${HSTS_SECONDS}${holdsSubdomains ? '; includeSubDomains' : ''}`;
  const headers = {
    // Pages replace this policy; other responses need nothing and must not be framed.
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    // Other sites must not learn which page the visitor came from.
    'referrer-policy': 'same-origin',
    ...(isHttps && { 'strict-transport-security': hsts }),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers);
    next();
  });
}
