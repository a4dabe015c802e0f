import type { PageLocals } from '../src/contract/page-locals.ts';
import type { Survey } from '../src/flows/surveys.ts';
import { parseSettings } from '../src/server/config/settings.ts';
import { pageLocals } from '../src/server/wiring/page-locals.ts';

/**
 * Returns the inputs for rendering pages outside a running server.
 *
 * @param env settings; default: none
 */
export function demoSite(
  surveys: readonly Survey[],
  env: Readonly<Record<string, string>> = {},
): PageLocals {
  const { settings } = parseSettings(env);
  return { ...pageLocals(settings), surveys };
}
