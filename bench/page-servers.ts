import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { buildBarePage } from './bare-react/build.ts';
import { plainPage } from './plain-html/page.ts';

/** Two pages to compare the survey with, each served as small as possible. */
export type PagesBeside = {
  readonly plainUrl: string;
  readonly bareUrl: string;
  /** The pages' JavaScript and CSS, in bytes of gzip. */
  readonly plainBytes: number;
  readonly bareBytes: number;
  /**
   * Serves one more page, as small as possible, and forwards its other requests to its own server.
   *
   * @returns its address
   */
  serve(path: string, html: string, from: string): string;
  stop(): Promise<void>;
};

const gzipBytes = (text: string | Buffer) => gzipSync(text, { level: 9 }).length;

export async function startPagesBeside(): Promise<PagesBeside> {
  // Inside the project, so that the build finds React.
  const folder = join(import.meta.dirname, '..', '.cache', 'bare-react');
  const bare = await buildBarePage(folder);
  rmSync(folder, { recursive: true, force: true });
  const server = Fastify();
  const files = [
    { path: '/plain', type: 'text/html; charset=utf-8', content: plainPage },
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
  const inline = [...plainPage.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g)];
  return {
    plainUrl: `${url}/plain`,
    bareUrl: `${url}/bare`,
    plainBytes: gzipBytes(inline.map((match) => match[2]).join('')),
    bareBytes: gzipBytes(bare.script),
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
