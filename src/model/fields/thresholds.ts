/** The constants of the rules in docs/specification.md. */

/** A severe injury counts as recent up to this age, in months (docs/specification.md#flow-conditions). */
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

/** The flow asks untreated visitors about seeing a doctor up to this many days after the accident. */
export const TREATMENT_FOLLOW_UP_DAYS = 14;

/** Rules set treatment and injury to Yes up to this many days after the accident. */
export const FORCED_TREATMENT_DAYS = 15;

/** Days from the accident to the treatment date that the rule sets (docs/specification.md#forced-treatment). */
export const FORCED_TREATMENT_DATE_OFFSET_DAYS = 4;

/** Greatest age of the accident of a qualified lead (docs/specification.md#lead-is-qualified). */
export const QUALIFIED_INCIDENT_DAYS = 730;

/** An accident of this age or older is "over 2 years" ago (docs/specification.md#over-two-years). */
export const OVER_TWO_YEARS_DAYS = 730;

/** An accident is "within the last year" for fewer days than this (docs/specification.md#accident-date). */
export const WITHIN_LAST_YEAR_DAYS = 365;

/** The visitor's calendar may be a day ahead of the server's, so the accident date may be "tomorrow". */
export const CALENDAR_SKEW_DAYS = 1;

/** Months in one year of a limitation period (docs/specification.md#statute-of-limitations). */
export const MONTHS_PER_LIMIT_YEAR = 12;

/** Shortest trimmed case description. */
export const DESCRIPTION_MIN_CHARACTERS = 20;

export const DESCRIPTION_MIN_WORDS = 4;

/** Default of the setting that limits case descriptions (docs/specification.md#case-description). */
export const DESCRIPTION_LIMIT_CHARACTERS = 1000;

/** Digits of an American phone number without the country code. */
export const PHONE_DIGITS = 10;

/** Highest fraud score of a valid phone number. */
export const PHONE_FRAUD_SCORE_LIMIT = 85;

export const ZIP_DIGITS = 5;

/** The ids of leads that are routed to the buyer of disqualified leads. */
export const SPECIAL_OFFER_ID = '1500';
export const SPECIAL_AFFILIATE_ID = '1000350';
