/** Serves the console's built pages, which contain no data and need no session. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendNotFound, sendProblem } from '../problem.ts';

const DIST_DIR = path.join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'console');

/** Returns the content security policy, with a nonce for the styles of react-aria. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}

/** Serves the built assets, and `index.html` at the URL of every page. */
export async function servePages(app: FastifyInstance, distDir = DIST_DIR): Promise<void> {
  await app.register(fastifyStatic, {
    root: path.join(distDir, 'assets'),
    serve: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    // `sendIndex` reports a missing directory, so no warning is needed at the start.
    suppressWarning: true,
  });
  app.get('/assets/*', { config: { role: 'none' } }, (request, reply) => {
    const { '*': file } = request.params as { '*': string };
    return reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(file);
  });
  const indexFile = path.join(distDir, 'index.html');
  const index = existsSync(indexFile) ? readFileSync(indexFile, 'utf8') : undefined;
  app.setNotFoundHandler((request, reply) =>
    isPageAddress(request) ? sendIndex(reply, index) : sendNotFound(request, reply),
  );
}

function isPageAddress({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return (
    !/^\/(?:api|assets)(?:[/?]|$)/.test(url) && (headers.accept ?? '*/*').includes('text/html')
  );
}

function sendIndex(reply: FastifyReply, index: string | undefined): FastifyReply {
  if (index === undefined) {
    return sendProblem(reply, 503, 'unavailable', 'The console is not built: run "npm run build".');
  }
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(200)
    .header('content-security-policy', policy(nonce))
    .type('text/html; charset=utf-8')
    .send(index.replace('</head>', `<meta property="csp-nonce" content="${nonce}"></head>`));
}
