import type { FastifyInstance } from 'fastify';

/** What every answer says to browsers, unless its route says otherwise. */
const headers = {
  // A page brings its own policy; what is no page needs nothing and is never framed.
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  // No other site gets to know which page the visitor came from.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
} as const;

const httpsOnly = { 'strict-transport-security': 'max-age=31536000' } as const;

/**
 * Sets these headers before any route runs.
 * @param isHttps the site's public address has https: browsers are held to it
 */
export function securityHeaders(app: FastifyInstance, isHttps: boolean): void {
  const all = isHttps ? { ...headers, ...httpsOnly } : headers;
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(all);
    next();
  });
}
