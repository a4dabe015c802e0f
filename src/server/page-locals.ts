import type { Settings } from './config/settings.ts';
import type { PageLocals } from './routes/astro-pages.ts';

/** What the pages are rendered from: of the settings, what a visitor may know. */
export function pageLocals(settings: Settings): PageLocals {
  const { site, surveys, timeZone, publicUrl, port, fallbackBuyers, experiments } = settings;
  const keep = { ...settings.keep, checks: settings.checks.answersDays };
  const origin = publicUrl ?? `http://localhost:${port}`;
  return { site, surveys, timeZone, origin, fallbackBuyers, keep, experiments };
}
