import type { Language } from '../fields/language.ts';
import type { Experiment } from '../flows/experiments.ts';
import type { Survey } from '../flows/surveys.ts';
import type { Buyer } from '../rules/buyer-choice.ts';
import type { CompensationMultipliers } from '../rules/compensation.ts';
import type { LimitationChoice } from '../rules/limitation-years.ts';
import type { StateRuleSettings } from '../rules/state-rules.ts';
import type { ScriptSettings } from './script-declarations.ts';

/** A consent text. `version` is the date of its file in `content/consent/`. */
export type ConsentText = {
  readonly version: string;
  readonly language: Language;
  readonly text: string;
  readonly links?: readonly (readonly [words: string, href: string])[] | undefined;
};

/** The attorney who reviewed the guides, as the pages name them. */
export type Reviewer = {
  readonly name: string;
  /** The code of the US state whose bar has the number. */
  readonly barState: string;
  readonly barNumber: string;
  /** The day of the review, such as `2026-11-22`. */
  readonly reviewedOn: string;
  /** The URL of the bar's record. */
  readonly record: string;
};

/** The company and the people behind the site. An empty text is not shown. */
export type Publisher = {
  readonly entity: string;
  readonly address: string;
  readonly founderName: string;
  readonly founderNote: Readonly<Record<Language, string>>;
  readonly reviewer?: Reviewer | undefined;
};

/** The public settings that pages contain. */
export type SiteSettings = {
  readonly companyName: string;
  readonly phoneDisplay: string;
  readonly phoneHref: string;
  readonly callHours: Readonly<Record<Language, string>>;
  readonly publisher: Publisher;
  /** The visitor may choose law firms until this many minutes after the lead was posted. */
  readonly choiceWaitMinutes: number;
  /** True if the checkboxes of law firms are checked at first. */
  readonly preselectsFirms: boolean;
  readonly contactEmail: string;
  readonly descriptionLimit: number;
  /** The firms that visitors in Washington authorize. Undefined: the survey asks about no injury. */
  readonly authorizedFirms?: readonly string[] | undefined;
  /** The URL to which disqualified visitors are sent. */
  readonly partnerUrl: string;
  readonly dateOfBirthStates: readonly string[];
  readonly asksVisitorState: boolean;
  readonly partialFaultStates: readonly string[];
  /** The states without a partner page. */
  readonly partnerClosedStates: readonly string[] | undefined;
  readonly stateRules: StateRuleSettings;
  readonly limitation: LimitationChoice;
  /** True if the 15-day rule applies (docs/specification.md#forced-treatment). */
  readonly forcesTreatment: boolean;
  /** The fractions by which the visitor's answers raise the estimate. */
  readonly compensationMultipliers: CompensationMultipliers;
  /** True if pages may prefill contact details. */
  readonly prefill: boolean;
  /** The kinds of leads that law firms do not receive after an opt-out signal. */
  readonly withholdsAtOptOut: Readonly<Record<'survey' | 'contact', boolean>>;
  readonly scripts: ScriptSettings;
};

/** The settings that a survey's script reads. */
export type PageSettings = Omit<
  SiteSettings,
  'scripts' | 'callHours' | 'publisher' | 'choiceWaitMinutes' | 'withholdsAtOptOut' | 'stateRules'
> & {
  /** The states whose leads no law firm gets, unless the visitor chose the firm by name. */
  readonly closedStates: readonly string[];
  /** The states whose leads no law firm gets at all. */
  readonly prohibitedStates: readonly string[];
};

type Retained = 'visits' | 'leads' | 'clicks' | 'attempts' | 'consents' | 'requests' | 'checks';

/** Returns whether a company or a person has a name of the demo, such as Example Media LLC. */
export function isDemoName(name = ''): boolean {
  return /^Example | Example$/.test(name);
}

/** The data with which the server renders a page. */
export type PageLocals = {
  readonly site: SiteSettings;
  readonly surveys: readonly Survey[];
  readonly experiments: readonly Experiment[];
  readonly timeZone: string;
  readonly origin: string;
  /** The buyers that pages display if the buyers service returns none. */
  readonly fallbackBuyers: readonly Buyer[];
  /** True if pages may show examples, as on a test site. */
  readonly showsExamples: boolean;
  /** The retention periods, in days. */
  readonly keep: Readonly<Record<Retained, number>>;
};
