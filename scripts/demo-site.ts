import type { Survey } from '../src/model/flows/surveys.ts';
import type { PageLocals } from '../src/model/messages/site-settings.ts';
import { pageLocals } from '../src/server/http/site.ts';
import { parseSettings } from '../src/server/settings/settings.ts';

/** Returns the inputs for rendering pages without a running server. */
export function demoSite(
  surveys: readonly Survey[],
  env: Readonly<Record<string, string>> = {},
): PageLocals {
  const settings = parseSettings(env);
  return { ...pageLocals(settings), surveys };
}
