import type { Survey } from '../src/flows/surveys.ts';
import { parseSettings } from '../src/server/config/settings.ts';
import type { PageLocals } from '../src/server/routes/astro-pages.ts';
import { pageLocals } from '../src/server/wiring/page-locals.ts';

/**
 * What the pages are rendered from, for measurements outside a running server.
 *
 * @param env settings; by default the default ones
 */
export function demoSite(
  surveys: readonly Survey[],
  env: Readonly<Record<string, string>> = {},
): PageLocals {
  const { settings } = parseSettings(env);
  return { ...pageLocals(settings), surveys };
}
