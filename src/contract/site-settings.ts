import type { CompensationMultipliers } from '../domain/compensation-estimate.ts';
import type { Language } from '../domain/language.ts';
import type { ScriptSettings } from './script-declarations.ts';

/**
 * A consent text as shown: its version is the date of its file (`content/consent/`). `text` ends its plain
 * first line with a line break; `links`: which of its words lead where.
 */
export type ConsentText = {
  readonly version: string;
  readonly language: Language;
  readonly text: string;
  readonly links?: readonly (readonly [words: string, href: string])[] | undefined;
};

/** The settings that a page may know; everything here is public. Part of the page as JSON. */
export type SiteSettings = {
  readonly companyName: string;
  /** The fallback number, `(xxx) xxx-xxxx`, until call tracking replaces it. */
  readonly phoneDisplay: string;
  /** `tel:` address of that number. */
  readonly phoneHref: string;
  /** When somebody answers that number, in words. */
  readonly callHours: Readonly<Record<Language, string>>;
  /** How long a visitor who chose no law firm may still choose some, in minutes; 0: not at all. */
  readonly choiceWaitMinutes: number;
  readonly contactEmail: string;
  /** The most characters of a case description (docs/specification.md#case-description). */
  readonly descriptionLimit: number;
  /** The partner's click-tracking page for disqualified visitors; empty: none. */
  readonly partnerUrl: string;
  readonly dateOfBirthStates: readonly string[];
  /** Whether a page asks in which state a trusted proxy says that its visitor is. */
  readonly asksVisitorState: boolean;
  readonly partialFaultStates: readonly string[];
  /**
   * A disqualified visitor of these states gets no partner tab; undefined: those of the survey's flow
   * (a survey page always has its list here).
   */
  readonly partnerClosedStates: readonly string[] | undefined;
  readonly limitation: 'coded' | 'present';
  /** What answers add to where the estimator starts; a page has those that its flow asks for. */
  readonly compensationMultipliers: CompensationMultipliers;
  /** Whether a page asks if it may prefill its contact fields. */
  readonly prefill: boolean;
  /** Whether a lead that comes with the opt-out signal is withheld from the firms, by kind of lead. */
  readonly withholdsAtOptOut: Readonly<Record<'survey' | 'contact', boolean>>;
  /** The scripts of third parties that are set. */
  readonly scripts: ScriptSettings;
};

/** What a survey's script gets of them: of the scripts only those that the survey loads. */
export type PageSettings = Omit<
  SiteSettings,
  'scripts' | 'callHours' | 'choiceWaitMinutes' | 'withholdsAtOptOut'
>;
