import type { MiddlewareHandler } from 'astro';
import { flowOf, surveyAt } from '../../model/flows/surveys.ts';
import { ownQuery } from '../../model/messages/page-manifest.ts';
import {
  callTrackingScripts,
  hostsHeader,
  hostsOfScripts,
  surveyScripts,
} from '../../model/messages/script-declarations.ts';
import type { PageLocals } from '../../model/messages/site-settings.ts';
import { places } from './site-map.ts';

/** Adds a header that lists the page's third-party hosts. */
export const onRequest: MiddlewareHandler = async ({ locals, url }, next) => {
  if (locals.site === undefined && process.env.SITE_LOCALS !== undefined) {
    Object.assign(locals, JSON.parse(process.env.SITE_LOCALS));
    const address = url.pathname.replace(/\/?$/, '/');
    if (locals.surveys.some(({ thankYouPath }) => thankYouPath === address)) {
      url.searchParams.set(ownQuery.at, address);
      return next(`/thank-you/${url.search}`);
    }
  }
  const response = await next();
  const scripts = await scriptsAt(url.pathname, locals);
  response.headers.set(hostsHeader, JSON.stringify(hostsOfScripts(scripts, locals.site.scripts)));
  return response;
};

/** Returns a page's third-party scripts. Thank-you pages have none: the URL is personal. */
async function scriptsAt(path: string, { site, surveys }: PageLocals) {
  const survey = surveyAt(path, surveys);
  if (survey) return surveyScripts(await flowOf(survey), site.scripts);
  const tracksCalls = places.some((place) => place.path === path && place.tracksCalls);
  return tracksCalls ? callTrackingScripts(site.scripts) : [];
}
