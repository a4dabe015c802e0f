/** What a lead is built with: settings, checks and look-ups. */
import type { ZipAnswer } from '../contract/checks.ts';
import type { ConsentIndex } from '../domain/consent.ts';
import type { CalendarDate } from '../domain/dates.ts';
import type { Language } from '../domain/language.ts';
import type { TextChecks } from './check-texts.ts';
import type { PersonKey } from './person-key.ts';

/** Settings that the rules depend on. */
export type LeadRules = {
  readonly descriptionLimit: number;
  readonly dateOfBirthStates: readonly string[];
  readonly partialFaultStates: readonly string[];
  /** In place of what each flow says; undefined: as the flows say. */
  readonly specialStates: readonly string[] | undefined;
  readonly limitation: 'coded' | 'present';
  /** Origin of the site (setting PUBLIC_URL), where it is set. */
  readonly siteOrigin: string | undefined;
  /** What is sent in place of the consent text as seen, for a one-to-one lead. */
  readonly oneToOneStatement: (shown: 'buyers' | 'abbreviated', language: Language) => string;
  /** Every consent text that was ever published. */
  readonly consents: ConsentIndex;
};

/** City, states and county of a zip code; empty strings when it is unknown. */
export type ZipLookup = (zip: string) => ZipAnswer;

export type BuildContext = {
  readonly rules: LeadRules;
  readonly checks: TextChecks;
  readonly lookUpZip: ZipLookup;
  /** The day that a moment falls on, in the calendar that the rules count in. */
  readonly calendar: (moment: Date) => CalendarDate;
  /** The keys of the lead's person. */
  readonly personKey: PersonKey;
};
