import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { formFragments } from '../../contract/form-fragments.ts';
import { fillMarks } from '../../contract/form-marks.ts';
import { ownQuery, type PageEntry, type PageForm } from '../../contract/page-manifest.ts';
import { personalInThankYou } from '../../domain/personal-query.ts';
import { assignmentsOn, assignmentText, type Experiment } from '../../flows/experiments.ts';
import type { Survey } from '../../flows/surveys.ts';
import { decideVariants } from './experiments.ts';
import { createPageErrorHandler } from './failed-page.ts';
import { seeOther, takePostedForms } from './form-post.ts';
import { createKeptPages } from './kept-pages.ts';
import { type PageDocument, smallest } from './page-document.ts';
import { lookQuery, looksAt, type PageLooks } from './page-looks.ts';
import { sendNotFound } from './problem.ts';
import { keepSiteClick } from './site-click.ts';
import type { SiteForms } from './site-forms.ts';
import { type SurveyFormOptions, surveyFormRoutes } from './survey-forms.ts';
import { languageOf } from './visitor-language.ts';

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

/** One address of the site: its canonical path and what, beside the path, its content depends on. */
type PageRoute = {
  readonly path: string;
  /** What is rendered, where that is not the path: an address with parameters of our own. */
  readonly source?: string;
  /** Query parameters that the page reads, each with the values that it knows. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  /** What it is answered with when it is rendered as it should be. */
  readonly status: number;
  readonly isSurvey?: true;
  readonly isForVisitors: boolean;
  readonly saysSignal?: true;
  /** Of a thank-you page to which surveys of several looks lead. */
  readonly looks?: PageLooks | undefined;
  /** What may be posted to it. */
  readonly form?: PageForm;
};

export type PagesOptions = {
  readonly pages: SitePages;
  /** What the build says of them. */
  readonly manifest: readonly PageEntry[];
  readonly surveys: readonly Survey[];
  /** The calendar day, for example `2026-11-20`: the pages say which years can be chosen. */
  readonly today: () => string;
  /** Whether there is a page of everything that there is to see. */
  readonly hasPreview: boolean;
  readonly experiments: readonly Experiment[];
  readonly forms: SiteForms;
  /** Surveys answered by forms, where no script runs; undefined: they are not. */
  readonly surveyForms?: Omit<SurveyFormOptions, 'surveys' | 'pageOf' | 'publicUrl'>;
  /** Where visitors find the site, when it is set. */
  readonly publicUrl: string | undefined;
  /** Posted forms of one address in one minute. */
  readonly formsPerMinute: number;
  /** Is called once every page that visitors may ask for is rendered, or has failed to be. */
  readonly rendered?: () => void;
};

/**
 * Serves the pages. Each is rendered once a day and kept, compressed, in memory, since none depends on who
 * asks (kept-pages.ts). Every path answers with and without a trailing slash: one form is canonical, the
 * other redirects to it with its query (docs/specification.md#rules-of-paths).
 */
export const pagesPlugin: FastifyPluginAsync<PagesOptions> = async (app, options) => {
  const { pages, manifest, surveys, today, experiments } = options;
  const { forms, surveyForms, publicUrl, formsPerMinute, rendered: tellRendered } = options;
  const language = (request: FastifyRequest) => languageOf(request, surveys);
  app.setErrorHandler(createPageErrorHandler(language));
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

  const routes = siteRoutes(options);
  const notFound = notFoundRoute(manifest);
  const keptPage = createKeptPages({
    today,
    onFailure: (url, error) => {
      app.log.error({ err: error, page: url }, 'A page could not be renewed');
    },
    compress: smallest,
  });
  const document = (route: PageRoute, query: string): Promise<PageDocument> => {
    const url = addressOf(route, query);
    return keptPage(url, () => rendered(route, url));
  };
  const rendered = async (route: PageRoute, url: string): Promise<PageDocument> => {
    const page = await pages.render(url);
    if (page.status === route.status) return page;
    throw new Error(`The page ${route.path} was rendered with status ${page.status}`);
  };

  /** The variants of a survey's page that this visitor sees, as its renderer reads them; '' where none run. */
  const variantQuery = (
    { isSurvey, path }: PageRoute,
    request: FastifyRequest,
    reply: FastifyReply,
  ): string => {
    const variants = isSurvey ? decideVariants(path, experiments, request, reply) : '';
    return variants === '' ? '' : `${new URLSearchParams({ [ownQuery.variant]: variants })}`;
  };

  for (const route of routes) {
    app.get(route.path, { exposeHeadRoute: true }, async (request, reply) => {
      const clean = route.source && withoutPersonal(request);
      if (clean) return seeOther(reply, clean);
      const own = [knownQuery(route, request), variantQuery(route, request, reply)];
      const page = await document(route, own.filter(Boolean).join('&'));
      if (isOfSite(route)) keepSiteClick(request, reply, publicUrl);
      return send(request, reply, page, route);
    });
    const other = route.path.endsWith('/') ? route.path.slice(0, -1) : `${route.path}/`;
    if (other === '' || isFile(route.path)) continue;
    app.get(other, async (request, reply) => {
      const query = request.raw.url?.split('?')[1];
      return reply.redirect(query === undefined ? route.path : `${route.path}?${query}`, 308);
    });
  }

  await app.register(async (posted) => {
    await takePostedForms(posted, publicUrl);
    for (const route of routes) {
      const { form } = route;
      if (!form) continue;
      const rateLimit = { max: formsPerMinute, timeWindow: 60_000 };
      posted.post(route.path, { config: { rateLimit } }, async (request, reply) => {
        const answer = await forms[form.name](request, form.language);
        if ('query' in answer) return seeOther(reply, `${route.path}?${answer.query}#form`);
        const own = [`${ownQuery.marks}=1`, signalQuery(route, request)];
        const page = await document(route, own.filter(Boolean).join('&'));
        const { etag: _, ...headers } = page.headers;
        return reply
          .code(answer.status)
          .headers({ ...headers, ...route.headers, 'cache-control': 'no-store' })
          .send(fillMarks(page.identity.toString(), answer.places));
      });
    }
  });

  const surveyRoutes = new Map(routes.map((route) => [route.path, route]));
  if (surveyForms) {
    const pageOf: SurveyFormOptions['pageOf'] = ({ path }, request, reply) => {
      const route = surveyRoutes.get(path) as PageRoute;
      const own = [signalQuery(route, request), variantQuery(route, request, reply)];
      return document(route, own.filter(Boolean).join('&'));
    };
    await app.register(surveyFormRoutes, { ...surveyForms, publicUrl, surveys, pageOf });
  }

  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (!wantsPage || request.url.startsWith('/api/')) return sendNotFound(request, reply);
    const own = language(request) === 'es' ? `${ownQuery.language}=es` : '';
    return send(request, reply, await document(notFound, own), notFound);
  });

  let isOpen = true;
  app.addHook('onClose', async () => {
    isOpen = false;
    pages.close();
  });
  // The surveys first, for an advertisement leads to those; not what only its operator opens. The server
  // listens meanwhile, and takes leads; it says that it is ready once all are there.
  app.addHook('onReady', async () => {
    const pagesOf = (route: PageRoute) =>
      firstQueries(route, experiments).map((query) =>
        document(route, query).catch((error: unknown) => {
          if (!isOpen) return;
          app.log.error({ err: error, page: route.path }, 'A page could not be rendered');
        }),
      );
    const visited = routes.filter(({ isForVisitors }) => isForVisitors);
    Promise.all(visited.flatMap(pagesOf)).then(tellRendered);
  });
};

/** Returns the queries under which visitors can ask for a page, as far as its content depends on them. */
function firstQueries(
  { path, query, isSurvey, saysSignal, looks }: PageRoute,
  experiments: readonly Experiment[],
): string[] {
  const read: [name: string, values: readonly string[]][] = Object.entries(query).map(
    ([name, values]) => [name, ['', ...values]],
  );
  const variants = isSurvey ? assignmentsOn(path, experiments).map(assignmentText) : [];
  if (variants.length > 0) read.push([ownQuery.variant, variants]);
  if (saysSignal) read.push([ownQuery.signal, ['', '1']]);
  if (looks) read.push([ownQuery.look, ['', ...looks.names]]);
  return read.reduce<string[]>(
    (queries, [name, values]) =>
      queries.flatMap((before) =>
        values.map((value) => {
          const own = value === '' ? '' : `${new URLSearchParams({ [name]: value })}`;
          return [before, own].filter(Boolean).join('&');
        }),
      ),
    [''],
  );
}

/** Every address of the site, in the order in which they are rendered. */
function siteRoutes({ manifest, surveys, experiments, hasPreview }: PagesOptions): PageRoute[] {
  const surveyPaths = surveys.map(({ path }) => path);
  const thankYouPaths = [...new Set(surveys.map(({ thankYouPath }) => thankYouPath))];
  const addressesOf = ({ at, source }: PageEntry): readonly string[] => {
    if (at === 'surveys') return surveyPaths;
    if (at === 'thank-you') return thankYouPaths;
    if (at === 'preview') return hasPreview ? [source] : [];
    return at === 'not-found' ? [] : at;
  };
  const routes = manifest.flatMap((entry) =>
    addressesOf(entry).map((path) => ({
      ...routeOf(entry, path),
      looks: entry.at === 'thank-you' ? looksAt(path, surveys, experiments) : undefined,
      entry,
    })),
  );
  return [
    ...routes.filter(({ entry }) => entry.at === 'surveys'),
    ...routes.filter(({ entry }) => entry.at !== 'surveys'),
  ];
}

function routeOf(entry: PageEntry, path: string): PageRoute {
  const { at, source, query, headers, form, saysSignal } = entry;
  const isElsewhere = at === 'thank-you';
  const rendered = `${source}?${new URLSearchParams({ [ownQuery.at]: path })}`;
  return {
    ...{ path, query, headers, status: 200, isForVisitors: at !== 'preview' },
    ...(isElsewhere && { source: rendered }),
    ...(at === 'surveys' && { isSurvey: true as const }),
    ...(saysSignal && { saysSignal }),
    ...(form && { form }),
  };
}

/** @throws when no page is there for what has none */
function notFoundRoute(manifest: readonly PageEntry[]): PageRoute {
  const entry = manifest.find(({ at }) => at === 'not-found');
  if (!entry) throw new Error('The build has no page for what is not there');
  return { ...routeOf(entry, entry.source), status: 404 };
}

/** What is rendered for a route and the part of a query that it reads. */
function addressOf({ path, source = path }: PageRoute, query: string): string {
  if (query === '') return source;
  return source.includes('?') ? `${source}&${query}` : `${source}?${query}`;
}

/**
 * Returns the address of a thank-you page without personal values, where a form led to it: there may be no script
 * to take them out of the address bar. Undefined: it is to be answered as it is.
 */
function withoutPersonal(request: FastifyRequest): string | undefined {
  const [path = '', search = ''] = (request.raw.url ?? '').split('?');
  const query = new URLSearchParams(search);
  const fragment = query.get(ownQuery.form);
  if (fragment === null || !formFragments.test(fragment)) return undefined;
  for (const name of [...personalInThankYou, ownQuery.form]) query.delete(name);
  return `${path}?${query}#${fragment}`;
}

/** Whether it is a page of the site, not one of a survey and not the one to opt out on. */
function isOfSite({ path, isSurvey, source, saysSignal }: PageRoute): boolean {
  return !isSurvey && source === undefined && !saysSignal && !isFile(path);
}

function isFile(path: string): boolean {
  return /\.\w+$/.test(path);
}

/** The part of the request's query that the page depends on, in a fixed order; empty: none of it. */
function knownQuery(route: PageRoute, request: FastifyRequest): string {
  const given = new URLSearchParams(request.raw.url?.split('?')[1] ?? '');
  const kept = new URLSearchParams();
  for (const [name, values] of Object.entries(route.query)) {
    const value = given.get(name);
    if (value !== null && values.includes(value)) kept.set(name, value);
  }
  const look = route.looks ? lookQuery(route.looks, request) : '';
  return [kept.toString(), signalQuery(route, request), look].filter(Boolean).join('&');
}

/** What a page that says the opt-out signal is rendered with for this browser; '' where it sends none. */
function signalQuery({ saysSignal }: PageRoute, request: FastifyRequest): string {
  return saysSignal && request.headers['sec-gpc'] === '1' ? `${ownQuery.signal}=1` : '';
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageDocument,
  { headers, saysSignal }: Pick<PageRoute, 'headers' | 'saysSignal'>,
): FastifyReply {
  reply
    .code(page.status)
    .headers({ 'cache-control': 'no-cache', ...page.headers, ...headers })
    .header('vary', saysSignal ? 'accept-encoding, sec-gpc' : 'accept-encoding');
  if (request.headers['if-none-match'] === page.headers.etag && page.status === 200) {
    return reply.code(304).send();
  }
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(page.br);
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(page.gzip);
  return reply.send(page.identity);
}
