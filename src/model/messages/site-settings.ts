import type { Language } from '../fields/language.ts';
import type { Experiment } from '../flows/experiments.ts';
import type { Survey } from '../flows/surveys.ts';
import type { Buyer } from '../rules/buyer-choice.ts';
import type { CompensationMultipliers } from '../rules/compensation.ts';
import type { LimitationChoice } from '../rules/limitation-years.ts';
import type { ScriptSettings } from './script-declarations.ts';

/**
 * A consent text as shown. `version` is the date of its file (`content/consent/`). A line break ends the plain
 * first line of `text`. `links` says which words link where.
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
  /** The fallback number, `(xxx) xxx-xxxx`, until call tracking replaces it. */
  readonly phoneDisplay: string;
  /** `tel:` address of that number. */
  readonly phoneHref: string;
  /** When calls to that number are answered, in words. */
  readonly callHours: Readonly<Record<Language, string>>;
  /** The minutes in which a visitor who chose no law firm may still choose one; 0: none. */
  readonly choiceWaitMinutes: number;
  /** Whether the law firms of one-to-one consent are shown as chosen; in surveys without firms false. */
  readonly preselectsFirms: boolean;
  readonly contactEmail: string;
  /** The longest case description, in characters (docs/specification.md#case-description). */
  readonly descriptionLimit: number;
  /** The partner's click-tracking page for disqualified visitors; empty: none. */
  readonly partnerUrl: string;
  readonly dateOfBirthStates: readonly string[];
  /** Whether a page asks the server for the visitor's state (`GET /api/state`). */
  readonly asksVisitorState: boolean;
  readonly partialFaultStates: readonly string[];
  /** Disqualified visitors of these states get no partner tab. Undefined: the list of the survey's flow. */
  readonly partnerClosedStates: readonly string[] | undefined;
  readonly limitation: LimitationChoice;
  /** Whether a recent accident forces treatment (docs/specification.md#forced-treatment). */
  readonly forcesTreatment: boolean;
  /** How much each answer raises the estimator's start value. A page has only its own flow's answers. */
  readonly compensationMultipliers: CompensationMultipliers;
  /** Whether a page asks the server if it may prefill its contact fields. */
  readonly prefill: boolean;
  /** Whether a lead with the opt-out signal is withheld from the firms, by kind of lead. */
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
