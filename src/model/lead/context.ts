/** The settings, checks and look-ups that a lead is built with. */

import type { CalendarDate } from '../fields/dates.ts';
import type { Language } from '../fields/language.ts';
import type { ZipAnswer } from '../messages/checks.ts';
import type { ConsentIndex } from '../rules/consent.ts';
import type { LimitationChoice } from '../rules/limitation-years.ts';
import type { TextChecks } from './check-texts.ts';
import type { PersonKey } from './person-key.ts';

/** The settings that the rules depend on. */
export type LeadRules = {
  readonly descriptionLimit: number;
  readonly dateOfBirthStates: readonly string[];
  readonly partialFaultStates: readonly string[];
  /** Overrides the list of each flow; undefined: the flow's own. */
  readonly specialStates: readonly string[] | undefined;
  readonly limitation: LimitationChoice;
  readonly forcesTreatment: boolean;
  /** The site's origin (setting PUBLIC_URL). */
  readonly siteOrigin: string | undefined;
  /** Returns the statement that replaces the seen consent text of a one-to-one lead. */
  readonly oneToOneStatement: (shown: 'buyers' | 'abbreviated', language: Language) => string;
  /** Every consent text that was ever published. */
  readonly consents: ConsentIndex;
};

/** Returns city, state and county of a zip code; empty strings if it is unknown. */
export type ZipLookup = (zip: string) => ZipAnswer;

export type BuildContext = {
  readonly rules: LeadRules;
  readonly checks: TextChecks;
  readonly lookUpZip: ZipLookup;
  /** Returns the date of a moment, in the time zone of the rules. */
  readonly calendar: (moment: Date) => CalendarDate;
  readonly personKey: PersonKey;
};
