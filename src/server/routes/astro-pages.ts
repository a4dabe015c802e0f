import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import inject from 'light-my-request';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Survey } from '../../flows/surveys.ts';
import type { PageScript } from './page-document.ts';

/** What a page is rendered from, beside its address: `Astro.locals`. */
export type PageLocals = {
  readonly site: SiteSettings;
  readonly surveys: readonly Survey[];
  /** The calendar that "today" is taken from. */
  readonly timeZone: string;
};

export type RenderedPage = { readonly status: number; readonly html: string };

/** The built pages: renders one, and knows which script files they have. */
export type SitePages = {
  /** @param url path with the query parameters that the page depends on */
  render(url: string): Promise<RenderedPage>;
  readonly scripts: readonly PageScript[];
  /** Absolute folder of the static files (scripts, icons). */
  readonly clientDir: string;
};

type AstroHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: ((error?: unknown) => void) | undefined,
  locals: PageLocals,
) => Promise<void>;

/**
 * Loads the pages that `scripts/build.ts` built with Astro.
 *
 * @param dist absolute path of the build's folder
 * @throws when nothing is built there
 */
export async function loadAstroPages(dist: string, locals: PageLocals): Promise<SitePages> {
  const entry = pathToFileURL(join(dist, 'server', 'entry.mjs')).href;
  const { handler } = (await import(entry)) as { handler: AstroHandler };
  const scripts = JSON.parse(readFileSync(join(dist, 'page-scripts.json'), 'utf8')) as PageScript[];
  return {
    scripts,
    clientDir: join(dist, 'client'),
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
      return { status: response.statusCode, html: response.payload };
    },
  };
}
