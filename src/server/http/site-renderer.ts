/** Renders the built pages. `site.ts` runs this file as a child process. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import inject from 'light-my-request';
import { hostsHeader } from '../../model/messages/script-declarations.ts';
import type { PageLocals } from '../../model/messages/site-settings.ts';
import {
  HTML,
  isHtml,
  type PageDocument,
  type PageScript,
  pageDocument,
  type RenderedPage,
} from './page-document.ts';

type AstroHandler = (
  request: object,
  response: object,
  next: (error?: unknown) => void,
  locals: PageLocals,
) => Promise<void>;

export type AstroPages = Awaited<ReturnType<typeof loadAstroPages>>;

/** Loads Astro and the built pages from the folder `dist`. @throws if there is no build */
export async function loadAstroPages(dist: string, locals: PageLocals) {
  const entry = pathToFileURL(join(dist, 'server', 'entry.mjs')).href;
  const { handler } = (await import(entry)) as { handler: AstroHandler };
  const scripts = JSON.parse(readFileSync(join(dist, 'page-scripts.json'), 'utf8')) as PageScript[];
  return {
    scripts,
    /** Renders a page. @throws if the page does not exist or could not be rendered completely */
    async render(url: string): Promise<RenderedPage> {
      const path = url.split('?')[0];
      let failure: unknown;
      const response = await inject(
        (req, res) => {
          const done = (error?: unknown) => {
            failure = error ?? new Error(`no page at ${path}`);
            res.end();
          };
          handler(req, res, done, locals);
        },
        { method: 'GET', url },
      );
      if (failure) throw failure;
      const { statusCode: status, payload: html } = response;
      const { 'content-type': contentType = HTML, [hostsHeader]: hosts } = response.headers;
      // If a page throws, Astro sends 500 or aborts the answer, so the end of the HTML is missing.
      const isWhole = isHtml(String(contentType))
        ? html.trimEnd().endsWith('</html>')
        : html !== '';
      if (status >= 500 || !isWhole) throw new Error(`incomplete page at ${path}`);
      const page = { status, contentType: String(contentType), html };
      return hosts === undefined ? page : { ...page, hosts: JSON.parse(String(hosts)) };
    },
  };
}

/** The first message to the child process. */
export type RendererStart = { readonly dist: string; readonly locals: PageLocals };
/** A request to the child process. */
export type RenderRequest = { readonly id: number; readonly url: string };
/** The answer to one request. */
export type RenderAnswer = {
  readonly id: number;
  readonly page?: PageDocument;
  readonly error?: Error;
};

/** Answers the requests of the parent process until the channel closes. */
function serveRequests(): void {
  let loading: Promise<AstroPages>;
  process.on('message', async (message: RendererStart | RenderRequest) => {
    if ('dist' in message) {
      loading = loadAstroPages(message.dist, message.locals);
      // Each request for a page reports the failed load, so the rejection is ignored here.
      loading.catch(() => undefined);
      return;
    }
    const { id, url } = message;
    let answer: RenderAnswer;
    try {
      const { render, scripts } = await loading;
      answer = { id, page: await pageDocument(await render(url), scripts) };
    } catch (error) {
      answer = { id, error: error as Error };
    }
    // A stopping parent process may have closed the channel.
    if (process.connected) process.send?.(answer, () => undefined);
  });
  // Ignores Ctrl-C, because the server may need pages until it has stopped.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}

if (import.meta.main) serveRequests();
