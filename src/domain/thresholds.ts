/**
 * Every number that a rule compares with, by name.
 * Sources: document 1, sections 5 and 9; document 2, sections 5 and 9.
 */

/** A severe injury counts as recent up to this many months (document 2, section 4, WasUserInjured). */
export const INJURY_MONTHS = 12;

/** Untreated visitors are asked whether they will see a doctor up to this many days after the accident. */
export const TREATMENT_FOLLOW_UP_DAYS = 14;

/** Treatment and injury are forced to Yes up to (short variants: at exactly) this many days. */
export const FORCED_TREATMENT_DAYS = 15;

/** The forced treatment date lies this many days after the incident (document 2, section 5). */
export const FORCED_TREATMENT_DATE_OFFSET_DAYS = 4;

/** A lead is marked qualified only up to this age of its incident (document 2, section 5). */
export const QUALIFIED_INCIDENT_DAYS = 730;

/** From this age on an accident is "over 2 years" for the lawyer branch (readings). */
export const OVER_TWO_YEARS_DAYS = 730;

/** "Within the last year" is fewer days than this (document 1, section 5). */
export const WITHIN_LAST_YEAR_DAYS = 365;

/**
 * How far an incident may lie after our own today and still be taken as today: the visitor's
 * calendar can be a day ahead of the calendar that the server counts in.
 */
export const CALENDAR_SKEW_DAYS = 1;

/** Months in one year of a limitation period (document 1, section 5). */
export const MONTHS_PER_LIMIT_YEAR = 12;

/** Shortest case description, in characters after trimming. */
export const DESCRIPTION_MIN_CHARACTERS = 20;

/** Fewest words of a case description. */
export const DESCRIPTION_MIN_WORDS = 4;

/** Default of the description limit that the counter shows (readings: a setting). */
export const DESCRIPTION_LIMIT_CHARACTERS = 1000;

/** Fewest digits of a phone number, and the exact number of an American one without the 1. */
export const PHONE_DIGITS = 10;

/** Length of a phone number in its mask `(###) ###-####`. */
export const PHONE_MASK_CHARACTERS = 14;

/** Highest fraud score with which a phone number is still valid. */
export const PHONE_FRAUD_SCORE_LIMIT = 85;

/** Digits of a zip code. */
export const ZIP_DIGITS = 5;

/** Length of the SMS code. */
export const SMS_CODE_CHARACTERS = 6;

/** Pause before the SMS code can be sent again. */
export const SMS_RESEND_COOLDOWN_MS = 30_000;

/** Below this width the menu is a toggle. */
export const MOBILE_MENU_BREAKPOINT_PX = 1120;

/** Sub ids are cut to this length when sent to the ingest service, never when stored. */
export const INGEST_SUB_ID_CHARACTERS = 75;
