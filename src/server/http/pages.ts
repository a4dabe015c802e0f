import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { personalInThankYou } from '../../model/fields/personal-query.ts';
import type { Experiment } from '../../model/flows/experiments.ts';
import type { Survey } from '../../model/flows/surveys.ts';
import { fillMarks } from '../../model/messages/form-marks.ts';
import { formFragments, ownQuery, type PageEntry } from '../../model/messages/page-manifest.ts';
import { createPageErrorHandler } from './failed-page.ts';
import { seeOther, takePostedForms } from './form-post.ts';
import { createKeptPages } from './kept-pages.ts';
import { perMinute } from './limits.ts';
import { acceptedEncoding, type PageDocument, smallest } from './page-document.ts';
import {
  everyQuery,
  languageOf,
  type PageParameter,
  parametersOf,
  queryFor,
} from './page-parameters.ts';
import type { SitePages } from './page-process.ts';
import { sendNotFound } from './problem.ts';
import { keepSiteClick, withSiteClick } from './site-click.ts';
import type { SiteForms } from './site-forms.ts';
import { type SurveyFormOptions, surveyFormRoutes } from './survey-forms.ts';

/** One address of the site, with its page of the manifest. */
type PageRoute = PageEntry & {
  /** The canonical path. */
  readonly path: string;
  /** The address to render: the path, or one with our own query parameters. */
  readonly source: string;
  /** The status that a correctly rendered page has. */
  readonly status: number;
  readonly parameters: readonly PageParameter[];
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
  const { pages, surveys, today, forms, surveyForms, publicUrl, formsPerMinute } = options;
  app.setErrorHandler(createPageErrorHandler((request) => languageOf(request, surveys)));
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

  const { routes, notFound } = siteRoutes(options);
  const keptPage = createKeptPages({
    today,
    onFailure: (url, error) => {
      app.log.error({ err: error, page: url }, 'Could not render or compress a cached page again');
    },
    compress: smallest,
  });
  const document = ({ at, path, source, status }: PageRoute, query: string) => {
    const url = query === '' ? source : `${source}${source.includes('?') ? '&' : '?'}${query}`;
    const render = async () => {
      const page = await pages.render(url);
      if (page.status === status) return page;
      throw new Error(`The page ${path} was rendered with status ${page.status}`);
    };
    // The preview has millions of addresses.
    return at === 'preview' ? render() : keptPage(url, render);
  };
  const documentFor = (route: PageRoute, request: FastifyRequest, reply: FastifyReply) =>
    document(route, queryFor(route.parameters, request, reply));

  for (const route of routes) {
    app.get(route.path, { exposeHeadRoute: true }, async (request, reply) => {
      const clean = route.at === 'thank-you' ? withoutPersonal(request) : undefined;
      const whole = route.at === 'surveys' ? withSiteClick(request) : undefined;
      const elsewhere = clean ?? whole;
      if (elsewhere !== undefined) return seeOther(reply, elsewhere);
      const page = await documentFor(route, request, reply);
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
        const page = await documentFor(route, request, reply);
        const { etag: _, ...headers } = page.headers;
        return reply
          .code(answer.status)
          .headers({ ...headers, ...route.headers, 'cache-control': 'no-store' })
          .send(fillMarks(page.identity.toString(), answer.places));
      });
    }
  });

  if (surveyForms) {
    const byPath = new Map(routes.map((route) => [route.path, route]));
    const pageOf: SurveyFormOptions['pageOf'] = ({ path }, request, reply) =>
      documentFor(byPath.get(path) as PageRoute, request, reply);
    await app.register(surveyFormRoutes, { ...surveyForms, publicUrl, surveys, pageOf });
  }

  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (!wantsPage || request.url.startsWith('/api/')) return sendNotFound(request, reply);
    return send(request, reply, await documentFor(notFound, request, reply), notFound);
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
      everyQuery(route.parameters).map((query) =>
        document(route, query).catch((error: unknown) => {
          if (!isOpen) return;
          app.log.error({ err: error, page: route.path }, 'Could not render a page');
        }),
      );
    const visited = routes.filter(({ at }) => at !== 'preview');
    Promise.all(visited.flatMap(pagesOf)).then(options.rendered);
  });
};

/** Returns every address of the site in the order of rendering, and the page for unknown ones. */
function siteRoutes(options: PagesOptions): { routes: PageRoute[]; notFound: PageRoute } {
  const { manifest, surveys, hasPreview } = options;
  const routeOf = (entry: PageEntry, path: string): PageRoute => {
    const rendered = `${entry.source}?${new URLSearchParams({ [ownQuery.at]: path })}`;
    return {
      ...entry,
      path,
      source: entry.at === 'thank-you' ? rendered : path,
      status: entry.at === 'not-found' ? 404 : 200,
      parameters: parametersOf(entry, path, options),
    };
  };
  const addressesOf = ({ at, source }: PageEntry): readonly string[] => {
    if (at === 'surveys') return surveys.map(({ path }) => path);
    if (at === 'thank-you') return [...new Set(surveys.map(({ thankYouPath }) => thankYouPath))];
    if (at === 'preview') return hasPreview ? [source] : [];
    return at === 'not-found' ? [] : at;
  };
  const lost = manifest.find(({ at }) => at === 'not-found');
  if (!lost) throw new Error('The build has no page for unknown addresses');
  const isSurvey = ({ at }: PageEntry) => at === 'surveys';
  const surveysFirst = [
    ...manifest.filter(isSurvey),
    ...manifest.filter((each) => !isSurvey(each)),
  ];
  return {
    routes: surveysFirst.flatMap((entry) => addressesOf(entry).map((path) => routeOf(entry, path))),
    notFound: routeOf(lost, lost.source),
  };
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
