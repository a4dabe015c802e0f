/** Maximum age of a recent severe injury, in months (docs/specification.md#flow-conditions). */
export const INJURY_MONTHS = 12;

/** The severe injuries (docs/specification.md#injury-steps) as values of `specific_injury`. */
export const severeInjuries: readonly string[] = [
  'Back or Neck Pain',
  'Broken Bones',
  'Whiplash',
  'Head Injury',
  'Spinal Cord Injury',
  'Loss of Limb',
];

/** Maximum days since the accident for which the flow asks an untreated visitor about a doctor. */
export const TREATMENT_FOLLOW_UP_DAYS = 14;

/** Maximum days since the accident for the 15-day rule (docs/specification.md#forced-treatment). */
export const FORCED_TREATMENT_DAYS = 15;

/** Days from the accident to the treatment date that the 15-day rule sets. */
export const FORCED_TREATMENT_DATE_OFFSET_DAYS = 4;

/** Maximum days since a qualified lead's accident (docs/specification.md#lead-is-qualified). */
export const QUALIFIED_INCIDENT_DAYS = 730;

/** Minimum days since an accident "over 2 years" ago (docs/specification.md#over-two-years). */
export const OVER_TWO_YEARS_DAYS = 730;

/** Minimum days since an accident outside the last year (docs/specification.md#accident-date). */
export const WITHIN_LAST_YEAR_DAYS = 365;

/** The visitor's calendar may be this many days ahead of the server's. */
export const CALENDAR_SKEW_DAYS = 1;

export const MONTHS_PER_LIMIT_YEAR = 12;

export const DESCRIPTION_MIN_CHARACTERS = 20;

export const DESCRIPTION_MIN_WORDS = 4;

/** Default maximum length of a case description (docs/specification.md#case-description). */
export const DESCRIPTION_LIMIT_CHARACTERS = 1000;

export const PHONE_DIGITS = 10;

/** Highest fraud score of a phone number that the phone check accepts. */
export const PHONE_FRAUD_SCORE_LIMIT = 85;

export const ZIP_DIGITS = 5;

/** The reason if a visitor with a lawyer gives none (docs/specification.md#lawyer-reason). */
export const DEFAULT_LAWYER_REASON = 'have_attorney|yes';

/** The values of `lawyer_redirect_reason`. */
export const lawyerReasons: readonly string[] = [
  DEFAULT_LAWYER_REASON,
  'have_attorney|yes_but_I_want_a_new_lawyer',
];

/** Offer id and affiliate id of leads that go to the buyer of disqualified leads. */
export const SPECIAL_OFFER_ID = '1500';
export const SPECIAL_AFFILIATE_ID = '1000350';
