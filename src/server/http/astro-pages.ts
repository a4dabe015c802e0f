import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import inject from 'light-my-request';
import type { PageLocals } from '../../model/messages/page-locals.ts';
import { hostsHeader, type ScriptHosts } from '../../model/messages/third-party-scripts.ts';
import { HTML, isHtml, type PageScript } from './page-document.ts';

export type RenderedPage = {
  readonly status: number;
  readonly contentType: string;
  /** The page's text, or that of a generated file (`/robots.txt`). */
  readonly html: string;
  /** The third-party hosts that the page's policy allows. Default: none. */
  readonly hosts?: ScriptHosts;
};

/** The built pages, and their scripts. */
export type AstroPages = {
  /**
   * @param url path with the query parameters that the page depends on
   * @throws if there is no such page or it could not be rendered completely
   */
  render(url: string): Promise<RenderedPage>;
  readonly scripts: readonly PageScript[];
};

type AstroHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: ((error?: unknown) => void) | undefined,
  locals: PageLocals,
) => Promise<void>;

/**
 * Loads the pages that `scripts/build.ts` built, and Astro. The server does not call this; `page-process.ts`
 * runs it in another process.
 *
 * @param dist absolute path of the build's folder
 * @throws if there is no build
 */
export async function loadAstroPages(dist: string, locals: PageLocals): Promise<AstroPages> {
  const entry = pathToFileURL(join(dist, 'server', 'entry.mjs')).href;
  const { handler } = (await import(entry)) as { handler: AstroHandler };
  const scripts = JSON.parse(readFileSync(join(dist, 'page-scripts.json'), 'utf8')) as PageScript[];
  return {
    scripts,
    async render(url) {
      let failure: unknown;
      const response = await inject(
        (req, res) => {
          const done = (error?: unknown) => {
            failure = error ?? new Error(`no page at ${url.split('?')[0]}`);
            res.end();
          };
          handler(
            req as unknown as IncomingMessage,
            res as unknown as ServerResponse,
            done,
            locals,
          );
        },
        { method: 'GET', url },
      );
      if (failure) throw failure;
      const { 'content-type': contentType = HTML, [hostsHeader]: hosts } = response.headers;
      const page: RenderedPage = {
        status: response.statusCode,
        contentType: String(contentType),
        html: response.payload,
        ...(hosts !== undefined && { hosts: JSON.parse(String(hosts)) }),
      };
      // If a page throws, Astro answers 500 or aborts in the middle.
      const isWhole = isHtml(page.contentType)
        ? page.html.trimEnd().endsWith('</html>')
        : page.html !== '';
      if (page.status < 500 && isWhole) return page;
      throw new Error(`incomplete page at ${url.split('?')[0]}`);
    },
  };
}
