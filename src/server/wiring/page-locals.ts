import type { PageLocals } from '../../model/messages/page-locals.ts';
import { isLoopback } from '../platform/host-names.ts';
import type { Settings } from '../settings/settings.ts';

/** Returns whether the preview of all screens is served: not in production, and only if nobody else can reach it. */
export function servesPreview(
  { host, publicUrl }: Pick<Settings, 'host' | 'publicUrl'>,
  mode = process.env.NODE_ENV,
): boolean {
  return mode !== 'production' && isLoopback(host) && publicUrl === undefined;
}

/** Returns the settings that pages are rendered with: only what a visitor may know. Production shows no examples. */
export function pageLocals(settings: Settings): PageLocals {
  const { site, surveys, timeZone, publicUrl, port, fallbackBuyers, experiments } = settings;
  const showsExamples = process.env.NODE_ENV !== 'production';
  const keep = { ...settings.keep, checks: settings.checks.answersDays };
  const origin = publicUrl ?? `http://localhost:${port}`;
  return { site, surveys, timeZone, origin, fallbackBuyers, showsExamples, keep, experiments };
}
