import type { Language } from '../fields/language.ts';
import type { Experiment } from '../flows/experiments.ts';
import type { Survey } from '../flows/surveys.ts';
import type { Buyer } from '../rules/buyer-choice.ts';
import type { CompensationMultipliers } from '../rules/compensation.ts';
import type { LimitationChoice } from '../rules/limitation-years.ts';
import type { ScriptSettings } from './script-declarations.ts';

/**
 * A consent text for a page. `version` is the date of its file (`content/consent/`). A line break ends the plain
 * first line of `text`. `links` has words of the text and their targets.
 */
export type ConsentText = {
  readonly version: string;
  readonly language: Language;
  readonly text: string;
  readonly links?: readonly (readonly [words: string, href: string])[] | undefined;
};

/** The public settings, which are part of each page as JSON. */
export type SiteSettings = {
  readonly companyName: string;
  /** Our phone number, `(xxx) xxx-xxxx`, which call tracking may replace. */
  readonly phoneDisplay: string;
  /** `tel:` URL of our phone number. */
  readonly phoneHref: string;
  /** Hours in which we answer calls, in words. */
  readonly callHours: Readonly<Record<Language, string>>;
  /** Minutes in which a visitor who chose no law firm may choose one later. 0 disables the later choice. */
  readonly choiceWaitMinutes: number;
  /** The checkboxes of law firms start checked (one-to-one consent). */
  readonly preselectsFirms: boolean;
  readonly contactEmail: string;
  /** Longest case description, in characters (docs/specification.md#case-description). */
  readonly descriptionLimit: number;
  /** URL of the partner page for disqualified visitors. Empty: no partner. */
  readonly partnerUrl: string;
  readonly dateOfBirthStates: readonly string[];
  /** Pages request the visitor's state from the server (`GET /api/state`). */
  readonly asksVisitorState: boolean;
  readonly partialFaultStates: readonly string[];
  /** States without a partner page. Undefined: the states that the survey's flow lists. */
  readonly partnerClosedStates: readonly string[] | undefined;
  readonly limitation: LimitationChoice;
  /** Enables the 15-day rule (docs/specification.md#forced-treatment). */
  readonly forcesTreatment: boolean;
  /** How much each answer raises the estimate. A page has only the answers of its flow. */
  readonly compensationMultipliers: CompensationMultipliers;
  /** Pages ask the server for permission to prefill contact fields. */
  readonly prefill: boolean;
  /** Law firms do not receive leads with the opt-out signal, by kind of lead. */
  readonly withholdsAtOptOut: Readonly<Record<'survey' | 'contact', boolean>>;
  readonly scripts: ScriptSettings;
};

/** The settings that a survey's script gets. */
export type PageSettings = Omit<
  SiteSettings,
  | 'scripts'
  | 'companyName'
  | 'contactEmail'
  | 'callHours'
  | 'choiceWaitMinutes'
  | 'withholdsAtOptOut'
>;

/** Data with a retention period in the settings. */
type KeptFor =
  | 'visits'
  | 'leads'
  | 'clicks'
  | 'attempts'
  | 'consents'
  | 'requests'
  /** Cached answers of check services. */
  | 'checks';

/** The server's data for rendering a page (`Astro.locals`). */
export type PageLocals = {
  readonly site: SiteSettings;
  readonly surveys: readonly Survey[];
  /** Experiments with the look of surveys. */
  readonly experiments: readonly Experiment[];
  /** The time zone that decides which day is today. */
  readonly timeZone: string;
  /** The site's origin, for absolute URLs. */
  readonly origin: string;
  /** Buyers for visitors for whom the buyers service returns none. The sponsors page lists them. */
  readonly fallbackBuyers: readonly Buyer[];
  /** Pages show marked examples and placeholders, which a live site must not. */
  readonly showsExamples: boolean;
  /** Retention periods in days, for the privacy policy. */
  readonly keep: Readonly<Record<KeptFor, number>>;
};
