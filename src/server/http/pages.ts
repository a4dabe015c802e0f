import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { calendarDate, formatIso } from '../../model/fields/dates.ts';
import { personalInThankYou } from '../../model/fields/personal-query.ts';
import { fillMarks } from '../../model/messages/form-marks.ts';
import { formFragments, ownQuery, type PageEntry } from '../../model/messages/page-manifest.ts';
import { isLoopback } from '../platform/host-names.ts';
import type { Settings } from '../settings/settings.ts';
import { seeOther, takePostedForms } from './form-post.ts';
import { perMinute } from './limits.ts';
import { createPageCache } from './page-cache.ts';
import {
  acceptedEncoding,
  contentSecurityPolicy,
  HTML,
  type PageDocument,
} from './page-document.ts';
import { everyQuery, type PageParameter, parametersOf, queryFor } from './page-parameters.ts';
import {
  handleError,
  otherSlash,
  RETRY_AFTER_SECONDS,
  refusalOf,
  sendNotFound,
} from './problem.ts';
import type { Site } from './site.ts';
import { storeSiteClick, withSiteClick } from './site-click.ts';
import { takeSiteForm } from './site-forms.ts';
import { type SurveyFormOptions, surveyFormRoutes } from './survey-forms.ts';
import type { UseCases } from './use-cases.ts';

type PageRoute = PageEntry & {
  readonly path: string;
  /** The path that is rendered, with query parameters that only the server sets. */
  readonly source: string;
  readonly parameters: readonly PageParameter[];
};

export type PagesOptions = {
  readonly site: Site;
  readonly settings: Settings;
  readonly useCases: Pick<UseCases, 'takeContactForm' | 'takeOptOut' | 'surveyForms'>;
  /** Returns the calendar day, such as `2026-11-20`. Default: the current day. */
  readonly today?: () => string;
  /** Called once when every page for visitors is rendered or has failed. */
  readonly rendered?: () => void;
};

/** Returns whether to serve the preview of all screens: true only on a developer's machine. */
export function servesPreview({ host, publicUrl }: Settings): boolean {
  return process.env.NODE_ENV !== 'production' && isLoopback(host) && publicUrl === undefined;
}

/** Serves the pages. Each page is the same for all visitors and cached (page-cache.ts). */
export const pagesPlugin: FastifyPluginAsync<PagesOptions> = async (app, options) => {
  const { site, settings, useCases } = options;
  const { publicUrl, limits } = settings;
  const { today = () => formatIso(calendarDate(new Date(), settings.timeZone)) } = options;
  app.setErrorHandler(sendFailure);
  await app.register(fastifyStatic, {
    root: site.clientDir,
    preCompressed: true,
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Files in `_astro` never change, because their names contain a hash of the content.
      const isHashed = path.includes('/_astro/');
      const lifetime = isHashed ? 'max-age=31536000, immutable' : 'max-age=3600';
      reply.header('cache-control', `public, ${lifetime}`);
    },
  });

  const { routes, notFound } = siteRoutes(site.manifest, settings);
  const cachedPage = createPageCache(today, (page, err) =>
    app.log.error({ err, page }, 'Could not render or compress a cached page again'),
  );
  const document = ({ at, path, source }: PageRoute, query: string) => {
    const url = query === '' ? source : `${source}${source.includes('?') ? '&' : '?'}${query}`;
    const render = async () => {
      const page = await site.render(url);
      if (page.status === (at === 'not-found' ? 404 : 200)) return page;
      throw new Error(`The page ${path} was rendered with status ${page.status}`);
    };
    // The preview is not cached, because its millions of URLs would fill the cache.
    return at === 'preview' ? render() : cachedPage(url, render);
  };
  const documentFor = (route: PageRoute, reply: FastifyReply) =>
    document(route, queryFor(route.parameters, reply));

  for (const route of routes) {
    app.get(route.path, { exposeHeadRoute: true }, async (request, reply) => {
      const clean = route.at === 'thank-you' ? withoutPersonal(request) : undefined;
      const whole = route.at === 'surveys' ? withSiteClick(request) : undefined;
      const elsewhere = clean ?? whole;
      if (elsewhere !== undefined) return seeOther(reply, elsewhere);
      const page = await documentFor(route, reply);
      if (takesClick(route)) storeSiteClick(reply, publicUrl);
      return send(reply, page, route);
    });
  }

  await app.register(async (posted) => {
    await takePostedForms(posted, publicUrl);
    const config = { rateLimit: perMinute(limits.checksPerAddressPerMinute) };
    for (const route of routes) {
      const { form } = route;
      if (!form) continue;
      posted.post(route.path, { config }, async (request, reply) => {
        const answer = await takeSiteForm(useCases, form, request);
        if ('query' in answer) return seeOther(reply, `${route.path}?${answer.query}#form`);
        const page = await documentFor(route, reply);
        const { etag: _, ...headers } = page.headers;
        return reply
          .code(answer.status)
          .headers({ ...headers, ...route.headers, 'cache-control': 'no-store' })
          .send(fillMarks(page.identity.toString(), answer.places));
      });
    }
  });

  const pageOf: SurveyFormOptions['pageOf'] = (survey, reply) =>
    documentFor(routes.find(({ path }) => path === survey.path) as PageRoute, reply);
  const forms = useCases.surveyForms;
  await app.register(surveyFormRoutes, { settings, pageOf, forms, renderer: site.forms });

  app.setNotFoundHandler(async (request, reply) => {
    const isPage = wantsPage(request) && !request.url.startsWith('/api/');
    if (!isPage || otherSlash(request)) return sendNotFound(request, reply);
    return send(reply, await documentFor(notFound, reply), notFound);
  });

  let isOpen = true;
  app.addHook('onClose', async () => {
    isOpen = false;
    site.close();
  });
  // Renders all pages at the start, surveys first, because ads link to surveys.
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

/** Returns all URLs of the site in the order of rendering, and the page for unknown URLs. */
function siteRoutes(manifest: readonly PageEntry[], settings: Settings) {
  const { surveys } = settings;
  const routeOf = (entry: PageEntry, path: string): PageRoute => {
    const rendered = `${entry.source}?${new URLSearchParams({ [ownQuery.at]: path })}`;
    return {
      ...entry,
      path,
      source: entry.at === 'thank-you' ? rendered : path,
      parameters: parametersOf(entry, path, settings),
    };
  };
  const addressesOf = ({ at, source }: PageEntry): readonly string[] => {
    if (at === 'surveys') return surveys.map(({ path }) => path);
    if (at === 'thank-you') return [...new Set(surveys.map(({ thankYouPath }) => thankYouPath))];
    if (at === 'preview') return servesPreview(settings) ? [source] : [];
    return at === 'not-found' ? [] : at;
  };
  const lost = manifest.find(({ at }) => at === 'not-found');
  if (!lost) throw new Error('The build has no page for unknown addresses');
  const isSurvey = ({ at }: PageEntry) => at === 'surveys';
  const surveysFirst = manifest.toSorted((a, b) => Number(isSurvey(b)) - Number(isSurvey(a)));
  return {
    routes: surveysFirst.flatMap((entry) => addressesOf(entry).map((path) => routeOf(entry, path))),
    notFound: routeOf(lost, lost.source),
  };
}

/** Returns a thank-you page's URL without personal values; undefined if the URL has none. */
function withoutPersonal(request: FastifyRequest): string | undefined {
  const [path = '', search = ''] = (request.raw.url ?? '').split('?');
  const query = new URLSearchParams(search);
  const fragment = query.get(ownQuery.form);
  if (fragment === null || !formFragments.test(fragment)) return undefined;
  for (const name of [...personalInThankYou, ownQuery.form]) query.delete(name);
  return `${path}?${query}#${fragment}`;
}

/** Returns whether a page's URL may contain the parameters of an ad click. */
function takesClick({ path, at, form }: PageRoute): boolean {
  const isFile = /\.\w+$/.test(path);
  return at !== 'thank-you' && form?.name !== 'do-not-sell' && !isFile;
}

function send(
  reply: FastifyReply,
  page: PageDocument,
  { headers, saysSignal }: Pick<PageRoute, 'headers' | 'saysSignal'>,
): FastifyReply {
  reply
    .code(page.status)
    .headers({ 'cache-control': 'no-cache', ...page.headers, ...headers })
    .header('vary', saysSignal ? 'accept-encoding, sec-gpc' : 'accept-encoding');
  // The answer sets a visitor's cookie, so shared caches must not store the answer.
  if (reply.hasHeader('set-cookie')) reply.header('cache-control', 'private, no-cache');
  const { headers: asked } = reply.request;
  if (asked['if-none-match'] === page.headers.etag && page.status === 200) {
    return reply.code(304).send();
  }
  const encoding = acceptedEncoding(asked['accept-encoding']);
  if (encoding === undefined) return reply.send(page.identity);
  return reply.header('content-encoding', encoding).send(page[encoding]);
}

/** The page for internal errors, which loads no file because a missing file may be the error. */
const failedPage = readFileSync(join(import.meta.dirname, '500.html'), 'utf8');
const failedPolicy = contentSecurityPolicy(failedPage);

/** Sends the error page if a browser requested a page, otherwise problem+json. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = refusalOf(error as FastifyError);
  if (status < 500 || !wantsPage(request)) return handleError(error, request, reply);
  request.log.error({ err: error }, 'Could not send a page');
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply
    .code(status)
    .headers({
      'content-type': HTML,
      'content-security-policy': failedPolicy,
      'cache-control': 'no-store',
    })
    .send(failedPage);
}

function wantsPage({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true;
}
