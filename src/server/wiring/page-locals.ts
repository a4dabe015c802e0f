import type { Settings } from '../config/settings.ts';
import type { PageLocals } from '../routes/astro-pages.ts';

/**
 * Returns what the pages are rendered from: of the settings, what a visitor may know.
 * @param showsExamples by default everywhere but in production (`NODE_ENV`)
 */
export function pageLocals(
  settings: Settings,
  showsExamples = process.env.NODE_ENV !== 'production',
): PageLocals {
  const { site, surveys, timeZone, publicUrl, port, fallbackBuyers, experiments } = settings;
  const keep = { ...settings.keep, checks: settings.checks.answersDays };
  const origin = publicUrl ?? `http://localhost:${port}`;
  return { site, surveys, timeZone, origin, fallbackBuyers, showsExamples, keep, experiments };
}
