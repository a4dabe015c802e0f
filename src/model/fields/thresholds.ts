/** Maximum age of a recent severe injury, in months (docs/specification.md#flow-conditions). */
export const INJURY_MONTHS = 12;

/** The injuries that count as severe (docs/specification.md#injury-steps). */
export const severeInjuries: readonly string[] = [
  'Back or Neck Pain',
  'Broken Bones',
  'Whiplash',
  'Head Injury',
  'Spinal Cord Injury',
  'Loss of Limb',
];

/** Flows ask about a later treatment only up to this many days after the accident. */
export const TREATMENT_FOLLOW_UP_DAYS = 14;

/** Maximum days since the accident for the 15-day rule (docs/specification.md#forced-treatment). */
export const FORCED_TREATMENT_DAYS = 15;

/** The 15-day rule sets the date of treatment to this many days after the accident. */
export const FORCED_TREATMENT_DATE_OFFSET_DAYS = 4;

/**
 * Maximum days since the accident of a qualified lead (docs/specification.md#lead-is-qualified).
 */
export const QUALIFIED_INCIDENT_DAYS = 730;

/** Minimum days since an accident "over 2 years" ago (docs/specification.md#over-two-years). */
export const OVER_TWO_YEARS_DAYS = 730;

/** Minimum days since an accident that is not within the last year. */
export const WITHIN_LAST_YEAR_DAYS = 365;

/** Maximum days by which a visitor's calendar may be ahead of the server's calendar. */
export const CALENDAR_SKEW_DAYS = 1;

export const MONTHS_PER_LIMIT_YEAR = 12;

/** A deadline to sue in fewer days than this is near (docs/specification.md#guidance). */
export const NEAR_DEADLINE_DAYS = 60;

export const DESCRIPTION_MIN_CHARACTERS = 20;

export const DESCRIPTION_MIN_WORDS = 4;

/** Maximum length of a case description (docs/specification.md#case-description). */
export const DESCRIPTION_LIMIT_CHARACTERS = 1000;

export const PHONE_DIGITS = 10;

/** Maximum fraud score of an accepted phone number. */
export const PHONE_FRAUD_SCORE_LIMIT = 85;

export const ZIP_DIGITS = 5;

/** The `lawyer_redirect_reason` of a visitor who has a lawyer but gives no reason. */
export const DEFAULT_LAWYER_REASON = 'have_attorney|yes';

export const lawyerReasons: readonly string[] = [
  DEFAULT_LAWYER_REASON,
  'have_attorney|yes_but_I_want_a_new_lawyer',
];

/** The offer id of leads that go to the buyer of disqualified leads. */
export const SPECIAL_OFFER_ID = '1500';
export const SPECIAL_AFFILIATE_ID = '1000350';
