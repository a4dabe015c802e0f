import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { fillMarks } from '../../contract/form-marks.ts';
import { formFragments, ownQuery, type PageEntry } from '../../contract/page-manifest.ts';
import { type Language, languages } from '../../domain/language.ts';
import { personalInThankYou } from '../../domain/personal-query.ts';
import { assignmentsOn, assignmentText, type Experiment } from '../../flows/experiments.ts';
import type { Survey } from '../../flows/surveys.ts';
import { decideVariants } from './experiments.ts';
import { createPageErrorHandler } from './failed-page.ts';
import { seeOther, takePostedForms } from './form-post.ts';
import { createKeptPages } from './kept-pages.ts';
import { acceptedEncoding, type PageDocument, smallest } from './page-document.ts';
import { lookQuery, looksAt, type PageLooks } from './page-looks.ts';
import { sendNotFound } from './problem.ts';
import { perMinute } from './route-options.ts';
import { keepSiteClick, withSiteClick } from './site-click.ts';
import type { SiteForms } from './site-forms.ts';
import { type SurveyFormOptions, surveyFormRoutes } from './survey-forms.ts';

/** The source of rendered pages and static files. */
export type SitePages = {
  /**
   * @param url path with the query parameters that the page depends on
   * @throws if the page could not be rendered completely
   */
  render(url: string): Promise<PageDocument>;
  /** Absolute path of the folder with static files (scripts, icons). */
  readonly clientDir: string;
  close(): void;
};

/** One address of the site, with its page of the manifest. */
type PageRoute = PageEntry & {
  /** The canonical path. */
  readonly path: string;
  /** The address to render: the path, or one with our own query parameters. */
  readonly source: string;
  /** The status that a correctly rendered page has. */
  readonly status: number;
  /** The looks of a thank-you page whose surveys look different. */
  readonly looks?: PageLooks | undefined;
};

export type PagesOptions = {
  readonly pages: SitePages;
  /** The build's description of the pages. */
  readonly manifest: readonly PageEntry[];
  readonly surveys: readonly Survey[];
  /** Returns the calendar day, such as `2026-11-20`, on which the pages' lists of years depend. */
  readonly today: () => string;
  /** Whether the preview of all screens is served. */
  readonly hasPreview: boolean;
  readonly experiments: readonly Experiment[];
  readonly forms: SiteForms;
  /** Surveys that work without a script, by posting forms; undefined: they do not. */
  readonly surveyForms?: Omit<SurveyFormOptions, 'surveys' | 'pageOf' | 'publicUrl'>;
  /** The site's public address, if set. */
  readonly publicUrl: string | undefined;
  /** Maximum number of posted forms per address and minute. */
  readonly formsPerMinute: number;
  /** Called once every page for visitors is rendered or has failed. */
  readonly rendered?: () => void;
};

/**
 * Serves the pages. Each is rendered once a day and cached in memory, compressed, since it is the same for
 * everybody (kept-pages.ts). Paths with the wrong trailing slash redirect to the canonical form, with their
 * query (docs/specification.md#rules-of-paths).
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
      // Names of built files contain a hash of the content.
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
      app.log.error({ err: error, page: url }, 'Could not render or compress a cached page again');
    },
    compress: smallest,
  });
  const document = (route: PageRoute, query: string): Promise<PageDocument> => {
    const url = addressOf(route, query);
    // The preview has millions of addresses.
    if (route.at === 'preview') return rendered(route, url);
    return keptPage(url, () => rendered(route, url));
  };
  const rendered = async (route: PageRoute, url: string): Promise<PageDocument> => {
    const page = await pages.render(url);
    if (page.status === route.status) return page;
    throw new Error(`The page ${route.path} was rendered with status ${page.status}`);
  };

  /** Returns the query for the variants that this visitor sees, or '' if no experiment runs. */
  const variantQuery = (
    { at, path }: PageRoute,
    request: FastifyRequest,
    reply: FastifyReply,
  ): string => {
    const variants = at === 'surveys' ? decideVariants(path, experiments, request, reply) : '';
    return variants === '' ? '' : `${new URLSearchParams({ [ownQuery.variant]: variants })}`;
  };

  for (const route of routes) {
    app.get(route.path, { exposeHeadRoute: true }, async (request, reply) => {
      const clean = route.at === 'thank-you' && withoutPersonal(request);
      const whole = route.at === 'surveys' && withSiteClick(request);
      if (clean || whole) return seeOther(reply, clean || (whole as string));
      const own = [knownQuery(route, request), variantQuery(route, request, reply)];
      const page = await document(route, own.filter(Boolean).join('&'));
      if (takesClick(route)) keepSiteClick(request, reply, publicUrl);
      return send(request, reply, page, route);
    });
    const other = route.path.endsWith('/') ? route.path.slice(0, -1) : `${route.path}/`;
    if (other === '' || isFile(route.path)) continue;
    app.get(other, async (request, reply) => {
      const query = /\?(.*)/.exec(request.raw.url ?? '')?.[1];
      return reply.redirect(query === undefined ? route.path : `${route.path}?${query}`, 308);
    });
  }

  await app.register(async (posted) => {
    await takePostedForms(posted, publicUrl);
    for (const route of routes) {
      const { form } = route;
      if (!form) continue;
      const config = { rateLimit: perMinute(formsPerMinute) };
      posted.post(route.path, { config }, async (request, reply) => {
        const answer = await forms[form.name](request, form.language);
        if ('query' in answer) return seeOther(reply, `${route.path}?${answer.query}#form`);
        const own = [marksQuery, signalQuery(route, request)];
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
  // Renders surveys first, because advertisements lead to them. The server takes leads meanwhile,
  // and is ready once `rendered` is called.
  app.addHook('onReady', async () => {
    const pagesOf = (route: PageRoute) =>
      firstQueries(route, experiments).map((query) =>
        document(route, query).catch((error: unknown) => {
          if (!isOpen) return;
          app.log.error({ err: error, page: route.path }, 'Could not render a page');
        }),
      );
    const visited = routes.filter(({ at }) => at !== 'preview');
    Promise.all(visited.flatMap(pagesOf)).then(tellRendered);
  });
};

/** The query of a page that answers a posted form. */
const marksQuery = `${ownQuery.marks}=1`;

/** Returns every combination of queries on which a page's content depends. */
function firstQueries(
  { path, at, query, saysSignal, looks, form }: PageRoute,
  experiments: readonly Experiment[],
): string[] {
  const read: [name: string, values: readonly string[]][] = Object.entries(query).map(
    ([name, values]) => [name, ['', ...values]],
  );
  const variants = at === 'surveys' ? assignmentsOn(path, experiments).map(assignmentText) : [];
  if (variants.length > 0) read.push([ownQuery.variant, variants]);
  if (saysSignal) read.push([ownQuery.signal, ['', '1']]);
  if (looks) read.push([ownQuery.look, ['', ...looks.names]]);
  const marked = form ? [marksQuery, `${marksQuery}&${ownQuery.signal}=1`] : [];
  const asked = read.reduce<string[]>(
    (queries, [name, values]) =>
      queries.flatMap((before) =>
        values.map((value) => {
          const own = value === '' ? '' : `${new URLSearchParams({ [name]: value })}`;
          return [before, own].filter(Boolean).join('&');
        }),
      ),
    [''],
  );
  return [...asked, ...marked];
}

/** Returns every address of the site, in the order of rendering. */
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
    })),
  );
  return [
    ...routes.filter(({ at }) => at === 'surveys'),
    ...routes.filter(({ at }) => at !== 'surveys'),
  ];
}

function routeOf(entry: PageEntry, path: string): PageRoute {
  const rendered = `${entry.source}?${new URLSearchParams({ [ownQuery.at]: path })}`;
  return { ...entry, path, source: entry.at === 'thank-you' ? rendered : path, status: 200 };
}

/** @throws if the manifest has no page for unknown addresses */
function notFoundRoute(manifest: readonly PageEntry[]): PageRoute {
  const entry = manifest.find(({ at }) => at === 'not-found');
  if (!entry) throw new Error('The build has no page for unknown addresses');
  return { ...routeOf(entry, entry.source), status: 404 };
}

/** Returns the address to render for a route and query. */
function addressOf({ source }: PageRoute, query: string): string {
  if (query === '') return source;
  return source.includes('?') ? `${source}&${query}` : `${source}?${query}`;
}

/**
 * Returns the address of a thank-you page without personal values, if a posted form led to it: without a script
 * they would stay in the address bar. Undefined: no redirect is needed.
 */
function withoutPersonal(request: FastifyRequest): string | undefined {
  const [path = '', search = ''] = (request.raw.url ?? '').split('?');
  const query = new URLSearchParams(search);
  const fragment = query.get(ownQuery.form);
  if (fragment === null || !formFragments.test(fragment)) return undefined;
  for (const name of [...personalInThankYou, ownQuery.form]) query.delete(name);
  return `${path}?${query}#${fragment}`;
}

/** Returns whether a click may land on a page. A thank-you page's address has the ids of a sent lead. */
function takesClick({ path, at, form }: PageRoute): boolean {
  return at !== 'thank-you' && form?.name !== 'do-not-sell' && !isFile(path);
}

function isFile(path: string): boolean {
  return /\.\w+$/.test(path);
}

/** Returns the part of the request's query that the page depends on, in a fixed order. */
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

/** Returns the query for a page that shows whether this browser sends the opt-out signal, or ''. */
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
  // A shared cache may repeat what it keeps: another visitor would get this one's click.
  if (reply.hasHeader('set-cookie')) reply.header('cache-control', 'private, no-cache');
  if (request.headers['if-none-match'] === page.headers.etag && page.status === 200) {
    return reply.code(304).send();
  }
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (encoding === undefined) return reply.send(page.identity);
  return reply.header('content-encoding', encoding).send(page[encoding]);
}

/**
 * Returns the language of an error page. The address decides if it can (a Spanish page, a survey, `lang` of a
 * thank-you page). Otherwise it is the browser's first choice among ours, or English.
 */
function languageOf(
  { url, headers }: Pick<FastifyRequest, 'url' | 'headers'>,
  surveys: readonly Pick<Survey, 'path' | 'language'>[],
): Language {
  const [path = '', query] = url.split('?');
  if (path === '/es' || path.startsWith('/es/')) return 'es';
  if (new URLSearchParams(query).get('lang') === 'es') return 'es';
  const survey = surveys.find((each) => `${path}/`.startsWith(`${each.path}/`));
  if (survey) return survey.language;
  // Browsers list languages in order of preference.
  const wanted = (headers['accept-language'] ?? '').split(',').map((range) => range.trim());
  const known = wanted.map((range) =>
    languages.find((each) => range.toLowerCase().slice(0, 2) === each),
  );
  return known.find((each) => each !== undefined) ?? 'en';
}
