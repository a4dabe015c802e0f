import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { buildBarePage } from './bare-react/build.ts';

/** The pages to compare the survey with, each served as small as possible. */
export type PagesBeside = {
  readonly bareUrl: string;
  /**
   * Serves one more page, as small as possible, and forwards its other requests to its own server.
   *
   * @returns its address
   */
  serve(path: string, html: string, from: string): string;
  stop(): Promise<void>;
};

export async function startPagesBeside(): Promise<PagesBeside> {
  // Inside the project, so that the build finds React.
  const folder = join(import.meta.dirname, '..', '.cache', 'bare-react');
  const bare = await buildBarePage(folder);
  rmSync(folder, { recursive: true, force: true });
  const server = Fastify();
  const files = [
    { path: '/bare', type: 'text/html; charset=utf-8', content: bare.html },
    { path: '/bare.js', type: 'text/javascript', content: bare.script },
  ];
  for (const { path, type, content } of files) {
    const small = brotliCompressSync(content);
    server.get(path, (_request, reply) =>
      reply.type(type).header('content-encoding', 'br').send(small),
    );
  }
  const served = new Map<string, Buffer>();
  let origin = '';
  server.get('/*', async (request, reply) => {
    const page = served.get(request.url);
    if (page)
      return reply.type('text/html; charset=utf-8').header('content-encoding', 'br').send(page);
    const answer = await fetch(origin + request.url);
    const type = answer.headers.get('content-type') ?? 'application/octet-stream';
    const content = brotliCompressSync(Buffer.from(await answer.arrayBuffer()));
    return reply.code(answer.status).type(type).header('content-encoding', 'br').send(content);
  });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  return {
    bareUrl: `${url}/bare`,
    serve(path, html, from) {
      served.set(path, brotliCompressSync(html));
      origin = from;
      return url + path;
    },
    async stop() {
      await server.close();
    },
  };
}
