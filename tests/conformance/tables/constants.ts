/**
 * Rules copied by hand from docs/specification.md. "#section" in a comment is a section of that
 * document.
 */

/**
 * Specification #statute-of-limitations: maps a number of years to the US states with that limit.
 */
export const statuteYears: Readonly<Record<number, string>> = {
  1: 'KY, LA, TN',
  2: 'AL, AK, AZ, CA, CT, DE, GA, HI, ID, IL, IN, IA, KS, MN, NV, NJ, OH, OK, OR, PA, TX, VA, WV',
  3: 'AR, CO, DC, MD, MA, MI, MS, MT, NH, NM, NY, NC, RI, SC, SD, VT, WA, WI',
  4: 'FL, NE, UT, WY',
  5: 'MO',
  6: 'ME, ND',
};
export const STATUTE_ENTRIES = 51;
/** The codes of the fifty US states and DC. */
export const states: readonly string[] = Object.values(statuteYears).join(', ').split(', ');

/** Limits and thresholds of docs/specification.md. */
export const limits = {
  fraudScore: 85,
  withinLastYearDays: 365,
  forcedTreatmentDateOffsetDays: 4,
  qualifiedIncidentDays: 730,
} as const;

/** Specification #partial-fault, #date-of-birth: the default lists of US states. */
export const statesWithoutPartialFault = ['AL', 'DC', 'MD', 'NC', 'VA'];
export const dateOfBirthStates = ['AL', 'NE'];
/** Specification #case-description: the maximum length of a case description, in characters. */
export const DESCRIPTION_LIMIT = 1000;

/** Specification #blocked-terms: some of the blocked terms. */
export const blockedTerms = [
  'no accident',
  'hit and run',
  'need a lawyer',
  'sweepstakes',
  'gift card',
  'I have a lawyer',
  'no insurance',
];

/** Specification #qualification: disqualifying values, each with the reason that the lead stores. */
export const rejections: readonly (readonly [field: string, value: string, reason: string])[] = [
  ['with_Lawyer', 'yes', 'have_attorney|yes'],
  ['accident_limit_exceeded', '1', 'date|accident_limit_exceeded'],
  ['is_gibberish', 'yes', 'is_gibberish|yes'],
  ['enough_words', 'no', 'enough_words|no'],
  ['physical_injury', 'no', 'physical_injury|No'],
  ['at_Fault', 'yes', 'at_Fault|yes'],
  ['doctor_treatment', 'no', 'doctor_treatment|no'],
];

/** Specification #compensation-estimator: the amounts and the label of each level from 1 to 7. */
export const compensation = {
  maximum: 250_000,
  markCap: 249_500,
  bands: [
    [0, 5000, 'Low Value'],
    [5001, 7000, 'Low to Mid Value'],
    [7001, 12_500, 'Mid Value'],
    [12_501, 25_000, 'Mid to High Value'],
    [25_001, 50_000, 'High Value'],
    [50_001, 100_000, 'Very High Value'],
    [100_001, 250_000, 'Extremely High Value'],
  ],
} as const;

const injuries = [
  ...['Back or Neck Pain', 'Broken Bones', 'Whiplash', 'Head Injury'],
  ...['Spinal Cord Injury', 'Loss of Limb', 'Cuts or Bruises', 'Other'],
];

/** Maps a field with a fixed list of values to these values. */
export const wireValues: Readonly<Record<string, readonly string[]>> = {
  // Specification #start-steps lists the kinds of accident.
  accident_type: [
    ...['Car Accident', 'Truck Accident', 'Bicycle Accident', 'Motorcycle Accident'],
    ...['Pedestrian Accident', 'Other'],
  ],
  // Specification #yes-and-no: physical_injury is Yes or No, and the other fields are yes or no.
  physical_injury: ['Yes', 'No'],
  ...Object.fromEntries(
    (
      'at_Fault with_Lawyer pending_dui_charges prior_alcohol_related_offense ' +
      'required_medical_treatment partial_fault police_report doctor_treatment hit_and_run'
    )
      .split(' ')
      .map((field) => [field, ['yes', 'no']]),
  ),
  // Specification #injury-steps: each button names an injury.
  specific_injury: injuries,
  // We chose the values of injury_type (docs/decisions/0007-gaps-in-the-brief.md).
  injury_type: [...injuries, 'No Injury'],
  // Specification #statute-of-limitations lists the US states.
  state_accident_occurred: states,
  // Specification #steps-and-flows lists the values of the buttons.
  type_of_alcohol_test_performed: [
    ...['breath_test', 'blood_test', 'urine_test', 'field_sobriety_test'],
    ...['no_test', 'refused_test'],
  ],
  bac_level: ['under_0_08', '0_08_to_0_14', '0_15_or_more', 'dont_know'],
  when_seek_medical_treatment: ['first_week', 'first_month', 'later', 'not_yet'],
  accident_date_button: [
    ...['Within 1 Week', 'Within 1 Month', 'Within 6 Months', 'Within 1 Year', 'Within 2 Years'],
    'Over 2 Years',
  ],
  lawyer_redirect_reason: ['have_attorney|yes', 'have_attorney|yes_but_I_want_a_new_lawyer'],
};
