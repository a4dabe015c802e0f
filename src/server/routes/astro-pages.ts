import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import inject from 'light-my-request';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Buyer } from '../../domain/buyer-choice.ts';
import type { Experiment } from '../../flows/experiments.ts';
import type { Survey } from '../../flows/surveys.ts';
import { HTML, isHtml } from './html.ts';
import type { PageScript } from './page-document.ts';

/** What is kept for a number of days that the settings say. */
export type KeptFor =
  | 'visits'
  | 'leads'
  | 'clicks'
  | 'attempts'
  | 'consents'
  | 'requests'
  /** What services said of a number, an address or a text, to be used again. */
  | 'checks';

/** What a page is rendered from, beside its address: `Astro.locals`. */
export type PageLocals = {
  readonly site: SiteSettings;
  readonly surveys: readonly Survey[];
  /** What of their look differs from visitor to visitor. */
  readonly experiments: readonly Experiment[];
  /** The calendar that "today" is taken from. */
  readonly timeZone: string;
  /** The site's address without a slash at its end: absolute addresses begin with it. */
  readonly origin: string;
  /** Who stands in where the buyers service names nobody; the sponsors page lists them. */
  readonly fallbackBuyers: readonly Buyer[];
  /** Whether pages show marked examples and placeholders: not on a live site. */
  readonly showsExamples: boolean;
  /** For how many days what is kept; the privacy policy says it. */
  readonly keep: Readonly<Record<KeptFor, number>>;
};

export type RenderedPage = {
  readonly status: number;
  readonly contentType: string;
  /** The text of the page, or of the file that is made as one (`/robots.txt`). */
  readonly html: string;
};

/** The built pages: renders one, and knows which script files they have. */
export type AstroPages = {
  /**
   * @param url path with the query parameters that the page depends on
   * @throws when there is no such page, or it could not be rendered to its end
   */
  render(url: string): Promise<RenderedPage>;
  readonly scripts: readonly PageScript[];
  /** What they are rendered from. */
  readonly locals: PageLocals;
};

type AstroHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: ((error?: unknown) => void) | undefined,
  locals: PageLocals,
) => Promise<void>;

/**
 * Loads the pages that `scripts/build.ts` built with Astro, and Astro with them: not into the server
 * (page-process.ts).
 *
 * @param dist absolute path of the build's folder
 * @throws when nothing is built there
 */
export async function loadAstroPages(dist: string, locals: PageLocals): Promise<AstroPages> {
  const entry = pathToFileURL(join(dist, 'server', 'entry.mjs')).href;
  const { handler } = (await import(entry)) as { handler: AstroHandler };
  const scripts = JSON.parse(readFileSync(join(dist, 'page-scripts.json'), 'utf8')) as PageScript[];
  return {
    scripts,
    locals,
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
      const contentType = String(response.headers['content-type'] ?? HTML);
      const page = { status: response.statusCode, contentType, html: response.payload };
      if (!isWhole(page)) throw new Error(`no whole page at ${url.split('?')[0]}`);
      return page;
    },
  };
}

/** Astro answers for a page that throws with 500, or cuts off what it had begun to write. */
function isWhole({ status, contentType, html }: RenderedPage): boolean {
  if (!isHtml(contentType)) return status < 500 && html !== '';
  return status < 500 && html.trimEnd().endsWith('</html>');
}
