/** The constants of the rules in docs/specification.md. */

/** A severe injury is recent up to this many months (docs/specification.md#flow-conditions). */
export const INJURY_MONTHS = 12;

/** The severe injuries (docs/specification.md#injury-steps), as answers of `specific_injury`. */
export const severeInjuries: readonly string[] = [
  'Back or Neck Pain',
  'Broken Bones',
  'Whiplash',
  'Head Injury',
  'Spinal Cord Injury',
  'Loss of Limb',
];

/** Up to this many days after the accident, untreated visitors are asked whether they will see a doctor. */
export const TREATMENT_FOLLOW_UP_DAYS = 14;

/** Up to this many days (short variants: exactly), treatment and injury are forced to Yes. */
export const FORCED_TREATMENT_DAYS = 15;

/** Days from the incident to the forced treatment date (docs/specification.md#forced-treatment). */
export const FORCED_TREATMENT_DATE_OFFSET_DAYS = 4;

/** Oldest incident of a lead marked qualified (docs/specification.md#lead-is-qualified). */
export const QUALIFIED_INCIDENT_DAYS = 730;

/** An accident is "over 2 years" for the lawyer branch from this age (docs/specification.md#over-two-years). */
export const OVER_TWO_YEARS_DAYS = 730;

/** "Within the last year" is fewer days than this (docs/specification.md#accident-date). */
export const WITHIN_LAST_YEAR_DAYS = 365;

/** The visitor's calendar may be this far ahead of the server's, so an incident may be "tomorrow". */
export const CALENDAR_SKEW_DAYS = 1;

/** Months in one year of a limitation period (docs/specification.md#statute-of-limitations). */
export const MONTHS_PER_LIMIT_YEAR = 12;

/** Shortest trimmed case description. */
export const DESCRIPTION_MIN_CHARACTERS = 20;

export const DESCRIPTION_MIN_WORDS = 4;

/** Default of the description limit, which is a setting (docs/specification.md#case-description). */
export const DESCRIPTION_LIMIT_CHARACTERS = 1000;

/** Digits of an American phone number without the country code. */
export const PHONE_DIGITS = 10;

/** Highest fraud score of a valid phone number. */
export const PHONE_FRAUD_SCORE_LIMIT = 85;

export const ZIP_DIGITS = 5;

/** The ids of the buyer of disqualified leads. */
export const SPECIAL_OFFER_ID = '1500';
export const SPECIAL_AFFILIATE_ID = '1000350';
