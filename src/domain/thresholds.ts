/** Every number that a rule compares with, by name. docs/specification.md states each at its rule. */

/** A severe injury counts as recent up to this many months (docs/specification.md#flow-conditions). */
export const INJURY_MONTHS = 12;

/** Untreated visitors are asked whether they will see a doctor up to this many days after the accident. */
export const TREATMENT_FOLLOW_UP_DAYS = 14;

/** Treatment and injury are forced to Yes up to (short variants: at exactly) this many days. */
export const FORCED_TREATMENT_DAYS = 15;

/**
 * The forced treatment date lies this many days after the incident
 * (docs/specification.md#forced-treatment).
 */
export const FORCED_TREATMENT_DATE_OFFSET_DAYS = 4;

/**
 * A lead is marked qualified only up to this age of its incident
 * (docs/specification.md#lead-is-qualified).
 */
export const QUALIFIED_INCIDENT_DAYS = 730;

/**
 * From this age on an accident is "over 2 years" for the lawyer branch
 * (docs/specification.md#over-two-years).
 */
export const OVER_TWO_YEARS_DAYS = 730;

/** "Within the last year" is fewer days than this (docs/specification.md#accident-date). */
export const WITHIN_LAST_YEAR_DAYS = 365;

/**
 * How far an incident may lie after our own today and still be taken as today: the visitor's
 * calendar can be a day ahead of the calendar that the server counts in.
 */
export const CALENDAR_SKEW_DAYS = 1;

/** Months in one year of a limitation period (docs/specification.md#statute-of-limitations). */
export const MONTHS_PER_LIMIT_YEAR = 12;

/** Shortest case description, in characters after trimming. */
export const DESCRIPTION_MIN_CHARACTERS = 20;

/** Fewest words of a case description. */
export const DESCRIPTION_MIN_WORDS = 4;

/**
 * Default of the description limit that the counter shows (docs/specification.md#case-description: a
 * setting).
 */
export const DESCRIPTION_LIMIT_CHARACTERS = 1000;

/** Fewest digits of a phone number, and the exact number of an American one without the 1. */
export const PHONE_DIGITS = 10;

/** Length of a phone number in its mask `(###) ###-####`. */
export const PHONE_MASK_CHARACTERS = 14;

/** Highest fraud score with which a phone number is still valid. */
export const PHONE_FRAUD_SCORE_LIMIT = 85;

/** Digits of a zip code. */
export const ZIP_DIGITS = 5;

// In a file of their own, so that the few pages that need them bring them along themselves.
export { SMS_CODE_CHARACTERS, SMS_RESEND_COOLDOWN_MS } from './phone-code.ts';

/** Below this width the menu is a toggle. */
export const MOBILE_MENU_BREAKPOINT_PX = 1120;

/** Sub ids are cut to this length when sent to the ingest service, never when stored. */
export const INGEST_SUB_ID_CHARACTERS = 75;
