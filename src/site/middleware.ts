import type { MiddlewareHandler } from 'astro';
import { ownQuery } from '../contract/page-manifest.ts';

/**
 * Under `npm run dev` no server of ours hands the pages their locals, nor knows at which addresses the
 * thank-you page stands: the locals come from the variable that `scripts/dev.ts` sets.
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
