import {
  type CheckContext,
  checkValue,
  type DateParts,
  type FieldError,
  type FieldRule,
  normaliseValue,
} from './field-rules.ts';
import { lawyerReasons, severeInjuries } from './thresholds.ts';

const choice = (...values: string[]): FieldRule => ({ kind: 'choice', values });
const text = (maxLength: number): FieldRule => ({ kind: 'text', maxLength });
const callWish = (...values: string[]): FieldRule => ({ ...choice(...values), isCallWish: true });

const yesNo = choice('yes', 'no');
const name: FieldRule = { kind: 'name', maxLength: 100 };
const phone: FieldRule = { kind: 'phone' };
const injury: DateParts = { year: 'injury_year', month: 'injury_month', day: 'injury_day' };
const birth: DateParts = {
  year: 'date_of_birth_year',
  month: 'date_of_birth_month',
  day: 'date_of_birth_day',
};
const accidentTypes = choice(
  'Car Accident',
  'Truck Accident',
  'Bicycle Accident',
  'Motorcycle Accident',
  'Pedestrian Accident',
  'Other',
);

const injuryValues = [...severeInjuries, 'Cuts or Bruises', 'Other'];
const injuries = choice(...injuryValues);
const states = (
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO ' +
  'MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'
).split(' ');
const stateCodes = choice(...states);

const rules = {
  accident_type: accidentTypes,
  motor_vehicle_accident: yesNo, // name is our choice (step WereYouInAMotorVehicleAccident)
  other_vehicle_type: choice(
    'Car',
    'SUV or Pickup',
    'Commercial Truck',
    'Motorcycle',
    'Bus',
    'Other',
  ), // name and values are our choice (step OtherDriversVehicleType)
  injury_month: { kind: 'month', parts: injury },
  injury_year: { kind: 'year', parts: injury },
  injury_day: { kind: 'day', parts: injury, optional: true }, // the rules assume 01 if it is empty
  accident_date_button: choice(
    'Within 1 Week',
    'Within 1 Month',
    'Within 6 Months',
    'Within 1 Year',
    'Within 2 Years',
    'Over 2 Years',
  ),
  at_Fault: choice('no', 'yes'), // the step AtFault shows 'no', the other driver, first
  partial_fault: yesNo,
  police_report: yesNo,
  hit_and_run: yesNo,
  hit_and_run_identified: yesNo,
  uninsured_motorist_coverage: yesNo,

  physical_injury: choice('Yes', 'No'),
  specific_injury: injuries,
  injury_type: choice(...injuryValues, 'No Injury'), // values are our choice
  active_insurance_policy: yesNo,
  missed_work: yesNo,
  speaking_with_doctor: yesNo,
  doctor_treatment: yesNo,
  type_of_medical_treatment: choice(
    'Emergency Room',
    'Doctor or Clinic',
    'Chiropractor or Physical Therapy',
    'Surgery',
  ), // name and values are our choice (step TypeOfMedicalTreatment)
  willing_to_treat: yesNo, // name is our choice (step WillingToTreat)
  required_medical_treatment: yesNo,
  will_require_medical_treatment: yesNo, // name is our choice
  when_seek_medical_treatment: choice('first_week', 'first_month', 'later', 'not_yet'),
  when_seek_medical_treatment_date: {
    kind: 'date',
    format: 'iso',
    mayBeFuture: true,
  }, // may be in the future: the 15-day rule sets it to 4 days after the accident

  with_Lawyer: yesNo,
  lawyer_redirect_reason: choice(...lawyerReasons),
  interested_in_psf: yesNo,
  funding_amount: choice('under_2500', '2500_to_5000', '5000_to_10000', 'over_10000'), // our choice
  settled_case: yesNo,
  prior_funding: yesNo,
  law_firm_name: text(200), // name is our choice (step LawFirmDetails)
  law_firm_phone: phone, // name is our choice

  pending_dui_charges: yesNo,
  type_of_alcohol_test_performed: choice(
    'breath_test',
    'blood_test',
    'urine_test',
    'field_sobriety_test',
    'no_test',
    'refused_test',
  ),
  bac_level: choice('under_0_08', '0_08_to_0_14', '0_15_or_more', 'dont_know'),
  prior_alcohol_related_offense: yesNo,

  case_description: { kind: 'description' },

  first_name: name,
  last_name: name,
  email: { kind: 'email', maxLength: 254 },
  phone,
  call_language: callWish('English', 'Spanish'), // names and values are our choice
  call_time: callWish('morning', 'afternoon', 'evening'),
  zip_code: { kind: 'zip' },
  state: stateCodes, // never asked: the zip check sets it
  // Flows ask this field only if the U.S. state of the zip code is unknown.
  state_choice: choice(...states, 'outside'),
  address: text(200),
  date_of_birth_month: { kind: 'month', parts: birth }, // names are our choice (step DateOfBirth)
  date_of_birth_day: { kind: 'day', parts: birth },
  date_of_birth_year: { kind: 'year', parts: birth },

  '1_to_1_consent': yesNo,
  displayed_buyers: text(10_000),
  displayed_buyer_ids: text(10_000), // name is our choice
  selected_buyers: text(10_000),

  current_compensation: { kind: 'number', max: 250_000 },

  ticket_type: choice(
    'Speeding',
    'Red Light or Stop Sign',
    'Careless Driving',
    'Phone Use',
    'License or Insurance',
    'Other',
  ), // name and values are our choice (step StartPathTicket)
  ticket_received: yesNo, // name is our choice (step TicketReceived)
  state_accident_occurred: stateCodes, // the step SelectState asks it
  date_accident_occurred: {
    kind: 'date',
    format: 'us',
  },
  ageGroup: choice('under_18', '18_to_25', '26_to_49', '50_to_64', '65_or_more'), // our choice
  isUSCitizen: yesNo,

  // Only the contact form asks these fields (docs/specification.md#contact-form).
  typeOfAccident: accidentTypes,
  firstName: name,
  lastName: name,
  phoneNumber: phone,
  message: { kind: 'message', maxLength: 2000 },
} as const satisfies Record<string, FieldRule>;

export type AskedFieldName = keyof typeof rules;

/** The rules of the fields that flows ask for (docs/specification.md#core-fields). */
export const askedFields: Readonly<Record<AskedFieldName, FieldRule>> = rules;

/** The optional fields of each contact step (docs/specification.md#contact-steps). */
export const callWishNames = ['call_language', 'call_time'] as const;

export function isAskedField(fieldName: string): fieldName is AskedFieldName {
  return Object.hasOwn(askedFields, fieldName);
}

/** Normalises a value by the field's rule. */
export function normaliseField(fieldName: AskedFieldName, value: string): string {
  return normaliseValue(askedFields[fieldName], value);
}

/** Returns the first error of a value, or undefined if the value is valid. */
export function checkField(
  fieldName: AskedFieldName,
  value: string | undefined,
  context: CheckContext,
): FieldError | undefined {
  return checkValue(askedFields[fieldName], value, context);
}

export type FieldRules = Readonly<Partial<Record<AskedFieldName, FieldRule>>>;
