import type { Language } from '../domain/language.ts';
import type { ScriptName } from '../flows/engine/page-scripts.ts';

/** A consent text as shown: its version is the date of its file (`content/consent/`). */
export type ConsentText = {
  readonly version: string;
  readonly language: Language;
  readonly text: string;
};

/** `caseWorthFacebook` takes the place of `caseWorth` for the traffic source pool facebook. */
export type ScriptAddresses = Readonly<Record<ScriptName | 'caseWorthFacebook', string>>;

/** The settings that a page may know; everything here is public. Part of the page as JSON. */
export type SiteSettings = {
  readonly companyName: string;
  /** The fallback number, `(xxx) xxx-xxxx`, until call tracking replaces it. */
  readonly phoneDisplay: string;
  /** `tel:` address of that number. */
  readonly phoneHref: string;
  readonly contactEmail: string;
  /** The most characters of a case description (readings, "Answers and rules"). */
  readonly descriptionLimit: number;
  /** The partner's click-tracking page for disqualified visitors; empty: none. */
  readonly partnerUrl: string;
  readonly dateOfBirthStates: readonly string[];
  readonly partialFaultStates: readonly string[];
  /**
   * A disqualified visitor of these states gets no partner tab; undefined: those of the survey's flow
   * (a survey page always has its list here).
   */
  readonly specialStates: readonly string[] | undefined;
  readonly limitation: 'coded' | 'present';
  /** Whether a page asks if it may prefill its contact fields. */
  readonly prefill: boolean;
  /** Addresses of the third parties' scripts; empty: that script is off. */
  readonly scripts: ScriptAddresses;
};

/** What a survey's script gets of them: of the scripts only those that the survey loads. */
export type PageSettings = Omit<SiteSettings, 'scripts'>;
