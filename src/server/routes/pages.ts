import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Survey } from '../../flows/surveys.ts';
import type { PageDocument } from './page-document.ts';
import { sendNotFound } from './problem.ts';
import { type SurveyFormOptions, surveyFormRoutes } from './survey-forms.ts';

/** Where the pages come from. */
export type SitePages = {
  /**
   * @param url path with the query parameters that the page depends on
   * @throws when the page could not be rendered whole
   */
  render(url: string): Promise<PageDocument>;
  /** Absolute folder of the static files (scripts, icons). */
  readonly clientDir: string;
  close(): void;
};

/** One page of the site: its canonical path and what, beside the path, its content depends on. */
type PageRoute = {
  readonly path: string;
  /** Query parameters that the page reads, each with the values that it knows. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  /** Rendered from the start on, not when the first visitor asks. */
  readonly isSurvey?: true;
  readonly headers?: Readonly<Record<string, string>>;
  /** What it is answered with when it is rendered as it should be; 200 where nothing is said. */
  readonly status?: number;
};

/** The page of every address that has none. */
const NOT_FOUND: PageRoute = {
  path: '/404',
  status: 404,
  headers: { 'cache-control': 'no-store' },
};

export type PagesOptions = {
  readonly pages: SitePages;
  /** Surveys answered by forms, where no script runs; undefined: they are not. */
  readonly forms?: Omit<SurveyFormOptions, 'surveys' | 'pageOf'> | undefined;
  readonly surveys: readonly Survey[];
  /** The calendar day, for example `2026-11-20`: the pages say which years can be chosen. */
  readonly today: () => string;
};

/**
 * The thank-you pages: never in a cache, an index or a referrer
 * (docs/specification.md#privacy-of-the-thank-you-page).
 */
const thankYouHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

/**
 * Serves the pages. Each is rendered once and kept, compressed, in memory, since none depends on who
 * asks, only on the day; one that fails to render is not kept, and tried again for whoever asks next. Every path answers with and without a trailing slash: one form is canonical,
 * the other redirects to it with its query (docs/specification.md#rules-of-paths).
 */
export const pagesPlugin: FastifyPluginAsync<PagesOptions> = async (
  app,
  { pages, surveys, today, forms },
) => {
  await app.register(fastifyStatic, {
    root: pages.clientDir,
    preCompressed: true,
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Script files carry a hash of their content in their name.
      const isHashed = path.includes('/_astro/');
      reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });

  const routes = siteRoutes(surveys);
  const cache = new Map<string, Promise<PageDocument>>();
  let cachedOn = today();
  const document = (route: PageRoute, query: string): Promise<PageDocument> => {
    const url = route.path + query;
    if (cachedOn !== today()) {
      cachedOn = today();
      cache.clear();
    }
    const kept = cache.get(url);
    if (kept) return kept;
    const made = rendered(route, url).catch((error) => {
      // Another one may stand there since, of another day.
      if (cache.get(url) === made) cache.delete(url);
      throw error;
    });
    cache.set(url, made);
    return made;
  };
  const rendered = async (route: PageRoute, url: string): Promise<PageDocument> => {
    const page = await pages.render(url);
    const { status = 200 } = route;
    if (page.status === status) return page;
    throw new Error(`The page ${route.path} was rendered with status ${page.status}`);
  };

  for (const route of routes) {
    app.get(route.path, { exposeHeadRoute: true }, async (request, reply) => {
      const page = await document(route, knownQuery(route, request));
      return send(request, reply, page, route.headers);
    });
    const other = route.path.endsWith('/') ? route.path.slice(0, -1) : `${route.path}/`;
    if (other === '') continue;
    app.get(other, async (request, reply) => {
      const query = request.raw.url?.split('?')[1];
      return reply.redirect(query === undefined ? route.path : `${route.path}?${query}`, 308);
    });
  }

  if (forms) {
    const pageOf = ({ path }: Survey) => document({ path }, '');
    await app.register(surveyFormRoutes, { ...forms, surveys, pageOf });
  }

  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (!wantsPage || request.url.startsWith('/api/')) return sendNotFound(request, reply);
    return send(request, reply, await document(NOT_FOUND, ''), NOT_FOUND.headers);
  });

  let isOpen = true;
  app.addHook('onClose', async () => {
    isOpen = false;
    pages.close();
  });
  // Not waited for: a server that starts takes leads at once, and who asks for a page waits for that one.
  app.addHook('onReady', async () => {
    for (const route of routes.filter(({ isSurvey }) => isSurvey)) {
      document(route, '').catch((error: unknown) => {
        if (isOpen) app.log.error({ err: error, page: route.path }, 'A page could not be rendered');
      });
    }
  });
};

/** Every page there is: the home page, the surveys of the table, and their thank-you pages. */
function siteRoutes(surveys: readonly Survey[]): PageRoute[] {
  const thankYouPaths = [...new Set(surveys.map((survey) => survey.thankYouPath))];
  return [
    { path: '/' },
    ...surveys.map((survey) => ({
      path: survey.path,
      isSurvey: true as const,
    })),
    ...thankYouPaths.map((path) => ({
      path,
      query: { q: ['y', 'n'], lang: ['es'] },
      headers: thankYouHeaders,
    })),
  ];
}

/** The part of the request's query that the page depends on, in a fixed order. */
function knownQuery(route: PageRoute, request: FastifyRequest): string {
  const given = new URLSearchParams(request.raw.url?.split('?')[1] ?? '');
  const kept = new URLSearchParams();
  for (const [name, values] of Object.entries(route.query ?? {})) {
    const value = given.get(name);
    if (value !== null && values.includes(value)) kept.set(name, value);
  }
  const query = kept.toString();
  return query === '' ? '' : `?${query}`;
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageDocument,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  reply
    .code(page.status)
    .headers({ 'cache-control': 'no-cache', ...page.headers, ...headers })
    .header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === page.headers.etag && page.status === 200) {
    return reply.code(304).send();
  }
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(page.br);
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(page.gzip);
  return reply.send(page.identity);
}
