import type { MiddlewareHandler } from 'astro';
import { ownQuery } from '../contract/page-manifest.ts';

/**
 * Stands in for our server under `npm run dev`: gives the pages their locals, from the variable that
 * `scripts/dev.ts` sets, and routes the thank-you addresses.
 */
export const onRequest: MiddlewareHandler = ({ locals, url }, next) => {
  if (locals.site === undefined && process.env.SITE_LOCALS !== undefined) {
    Object.assign(locals, JSON.parse(process.env.SITE_LOCALS));
    const address = url.pathname.replace(/\/?$/, '/');
    if (locals.surveys.some(({ thankYouPath }) => thankYouPath === address)) {
      url.searchParams.set(ownQuery.at, address);
      return next(`/thank-you/${url.search}`);
    }
  }
  return next();
};
