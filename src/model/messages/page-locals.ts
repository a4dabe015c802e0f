import type { Experiment } from '../flows/experiments.ts';
import type { Survey } from '../flows/surveys.ts';
import type { Buyer } from '../rules/buyer-choice.ts';
import type { SiteSettings } from './site-settings.ts';

/** Data with a retention period in the settings. */
type KeptFor =
  | 'visits'
  | 'leads'
  | 'clicks'
  | 'attempts'
  | 'consents'
  | 'requests'
  /** Services' answers about a number, an address or a text, cached for reuse. */
  | 'checks';

/** The data that pages are rendered from (`Astro.locals`). */
export type PageLocals = {
  readonly site: SiteSettings;
  readonly surveys: readonly Survey[];
  /** Experiments on how the surveys look. */
  readonly experiments: readonly Experiment[];
  /** The time zone that decides which day is today. */
  readonly timeZone: string;
  /** The site's origin, the beginning of absolute addresses. */
  readonly origin: string;
  /** The buyers used when the buyers service returns none; the sponsors page lists them. */
  readonly fallbackBuyers: readonly Buyer[];
  /** Whether pages show marked examples and placeholders; never on a live site. */
  readonly showsExamples: boolean;
  /** Retention periods in days, for the privacy policy. */
  readonly keep: Readonly<Record<KeptFor, number>>;
};
