import type { MiddlewareHandler } from 'astro';

/**
 * Under `npm run dev` no server of ours hands the pages their locals: they come from the variable
 * that `scripts/dev.ts` sets.
 */
export const onRequest: MiddlewareHandler = ({ locals }, next) => {
  if (locals.site === undefined && process.env.SITE_LOCALS !== undefined) {
    Object.assign(locals, JSON.parse(process.env.SITE_LOCALS));
  }
  return next();
};
