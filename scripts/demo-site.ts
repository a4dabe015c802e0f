import type { Survey } from '../src/flows/surveys.ts';
import { parseSettings } from '../src/server/config/settings.ts';
import type { PageLocals } from '../src/server/routes/astro-pages.ts';

/** What the pages are rendered from on default settings, for measurements outside a running server. */
export function demoSite(surveys: readonly Survey[]): PageLocals {
  const { settings } = parseSettings({});
  return { site: settings.site, surveys, timeZone: settings.timeZone };
}
