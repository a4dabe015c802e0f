import { type CalendarDate, daysBetween, isRealDate, parseIso, parseUs } from '../dates.ts';
import { phoneDigits } from '../phone-format.ts';
import { hasEnoughWords, isLongEnough } from '../text.ts';
import { DESCRIPTION_LIMIT_CHARACTERS, PHONE_DIGITS, ZIP_DIGITS } from '../thresholds.ts';

/**
 * What can be wrong with one field.
 * - `required`: nothing was answered (document 1, section 5: also the value 0)
 * - `invalid`: not a value, a shape or a date that the field can have
 * - `too_short`, `too_few_words`, `too_long`: the length rules of phone, zip and free text
 * - `in_future`: a date that has not come yet
 * - `unknown_zip`: the zip look-up did not give city, state, state_long and county
 * - `not_reachable`: the external phone or e-mail check refused it
 */
export type FieldError =
  | 'required'
  | 'invalid'
  | 'too_short'
  | 'too_few_words'
  | 'too_long'
  | 'in_future'
  | 'unknown_zip'
  | 'not_reachable';

/** The kinds of input that a screen knows how to show. */
export type FieldKind =
  | 'choice'
  | 'text'
  | 'name'
  | 'email'
  | 'phone'
  | 'zip'
  | 'month'
  | 'year'
  | 'day'
  | 'number'
  | 'description'
  | 'date';

/** The three fields that make up one date, so that a day can be checked against its month. */
export type DateParts = { readonly year: string; readonly month: string; readonly day: string };

/**
 * One question's field. `values`: the wire values of a choice, in the order in which they are shown.
 * `errors`: every error that the field can have. `maxLength`: in characters, after normalising.
 * `optional`: may stay empty. `format`: of a whole date. `parts`: the date that a part belongs to.
 * `max`: largest number.
 */
export type AskedField = {
  readonly kind: FieldKind;
  readonly errors: readonly FieldError[];
  readonly values?: readonly string[];
  readonly maxLength?: number;
  readonly optional?: true;
  readonly format?: 'iso' | 'us';
  readonly parts?: DateParts;
  readonly max?: number;
};

const choiceErrors = ['required', 'invalid'] as const;

function choice(...values: string[]): AskedField {
  return { kind: 'choice', values, errors: choiceErrors };
}

function text(kind: 'text' | 'name', maxLength: number): AskedField {
  return { kind, maxLength, errors: ['required', 'too_long'] };
}

function datePart(
  kind: 'month' | 'year' | 'day',
  parts: DateParts,
  extra?: { optional: true },
): AskedField {
  const errors: FieldError[] = ['invalid', 'in_future'];
  return { kind, parts, errors: extra ? errors : ['required', ...errors], ...extra };
}

const yesNo = choice('yes', 'no');
const name = text('name', 100);
const phone: AskedField = {
  kind: 'phone',
  errors: ['required', 'too_short', 'invalid', 'not_reachable'],
};
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

/** The severe injuries of document 2, section 4 (WasUserInjured), as answers of `specific_injury`. */
export const severeInjuries: readonly string[] = [
  'Back or Neck Pain',
  'Broken Bones',
  'Whiplash',
  'Head Injury',
  'Spinal Cord Injury',
  'Loss of Limb',
];

const injuries = choice(...severeInjuries, 'Cuts or Bruises', 'Other');
const stateCodes = choice(
  ...(
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO ' +
    'MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'
  ).split(' '),
);

/**
 * Every field that a visitor can be asked, in any flow of both documents. D1 and D2 are the
 * documents with their section, R the readings; "ours" marks a name or values that neither gives.
 */
export const askedFields = {
  // Accident
  accident_type: accidentTypes, // D1 3 (contact form options), R StartPath
  motor_vehicle_accident: yesNo, // ours: WereYouInAMotorVehicleAccident names no field
  interested_in_case_worth: yesNo, // ours: AutoAccidentCaseWorth names no field
  other_vehicle_type: choice(
    'Car',
    'SUV or Pickup',
    'Commercial Truck',
    'Motorcycle',
    'Bus',
    'Other',
  ), // ours: OtherDriversVehicleType
  injury_month: datePart('month', injury), // D1 3
  injury_year: datePart('year', injury), // D1 3
  injury_day: datePart('day', injury, { optional: true }), // D2 3, default 01
  accident_date_button: choice(
    'Within 1 Week',
    'Within 1 Month',
    'Within 6 Months',
    'Within 1 Year',
    'Within 2 Years',
    'Over 2 Years',
  ), // D2 3, R
  at_Fault: yesNo, // D1 3
  partial_fault: yesNo, // D2 3
  police_report: yesNo, // D2 3
  hit_and_run: yesNo, // D2 3
  hit_and_run_identified: yesNo, // D2 3
  uninsured_motorist_coverage: yesNo, // D2 3

  // Injury and treatment
  physical_injury: choice('Yes', 'No'), // D1 3
  specific_injury: injuries, // D2 4, R
  injury_type: injuries, // D1 5; values ours: those of specific_injury
  active_insurance_policy: yesNo, // D2 3
  missed_work: yesNo, // D2 3
  speaking_with_doctor: yesNo, // D2 3
  doctor_treatment: yesNo, // D1 3
  willing_to_treat: yesNo, // ours: WillingToTreat names no field
  required_medical_treatment: yesNo, // D2 3
  will_require_medical_treatment: yesNo, // ours: WillYouRequireMedicalTreatment names no field
  when_seek_medical_treatment: choice('first_week', 'first_month', 'later', 'not_yet'), // D2 3, R
  when_seek_medical_treatment_date: {
    kind: 'date',
    format: 'iso',
    errors: ['required', 'invalid'],
  }, // D2 3; may lie ahead: incident date plus 4 days

  // Lawyer and funding
  with_Lawyer: yesNo, // D1 3
  lawyer_redirect_reason: choice('have_attorney|yes', 'have_attorney|yes_but_I_want_a_new_lawyer'), // D2 4
  interested_in_psf: yesNo, // D1 3
  funding_amount: choice('under_2500', '2500_to_5000', '5000_to_10000', 'over_10000'), // ours
  settled_case: yesNo, // D1 3
  prior_funding: yesNo, // D1 3
  law_firm_name: text('text', 200), // ours: LawFirmDetails
  law_firm_phone: { kind: 'phone', errors: ['required', 'too_short', 'invalid'] }, // ours: LawFirmDetails

  // Driving under the influence
  pending_dui_charges: yesNo, // D2 3
  type_of_alcohol_test_performed: choice(
    'breath_test',
    'blood_test',
    'urine_test',
    'field_sobriety_test',
    'no_test',
    'refused_test',
  ), // D2 3, R
  bac_level: choice('under_0_08', '0_08_to_0_14', '0_15_or_more', 'dont_know'), // D2 3, R
  prior_alcohol_related_offense: yesNo, // D2 3

  // Free text
  case_description: {
    kind: 'description',
    errors: ['required', 'too_short', 'too_few_words', 'too_long'],
  }, // D1 5

  // Contact
  first_name: name, // D1 3
  last_name: name, // D1 3
  email: {
    kind: 'email',
    maxLength: 254,
    errors: ['required', 'invalid', 'too_long', 'not_reachable'],
  }, // D1 5
  phone, // D1 5
  zip_code: { kind: 'zip', errors: ['required', 'too_short', 'invalid', 'unknown_zip'] }, // D1 5
  state: stateCodes, // D1 3; asked by SelectState, else set by the zip look-up
  address: text('text', 200), // D2 5
  date_of_birth_month: datePart('month', birth), // ours: DateOfBirth
  date_of_birth_day: datePart('day', birth), // ours: DateOfBirth
  date_of_birth_year: datePart('year', birth), // ours: DateOfBirth

  // Compensation estimator
  current_compensation: { kind: 'number', max: 250_000, errors: ['required', 'invalid'] }, // D2 3, whole dollars

  // Ticket, and age and citizenship
  ticket_received: yesNo, // ours: TicketReceived
  state_accident_occurred: stateCodes, // D2 3
  date_accident_occurred: {
    kind: 'date',
    format: 'us',
    errors: ['required', 'invalid', 'in_future'],
  }, // D2 3
  ageGroup: choice('under_18', '18_to_25', '26_to_49', '50_to_64', '65_or_more'), // D2 3; values ours
  isUSCitizen: yesNo, // D2 3

  // Contact form (D1 3), whose names differ
  typeOfAccident: accidentTypes,
  firstName: name,
  lastName: name,
  phoneNumber: phone,
  message: { kind: 'text', maxLength: 2000, errors: ['required', 'too_long'] },
} as const satisfies Record<string, AskedField>;

/** Name of a field that a visitor can be asked. */
export type AskedFieldName = keyof typeof askedFields;

/** Whether a name is that of a field that a visitor can be asked. */
export function isAskedField(fieldName: string): fieldName is AskedFieldName {
  return Object.hasOwn(askedFields, fieldName);
}

/** The address pattern in common use: dotted or quoted local part, domain or IP literal in brackets. */
const emailPattern =
  /^([^<>()[\]\\.,;:\s@"]+(\.[^<>()[\]\\.,;:\s@"]+)*|"[^"]+")@(\[(\d{1,3}\.){3}\d{1,3}\]|([a-z\d-]+\.)+[a-z]{2,})$/i;

/** Control, direction and zero-width characters and lone surrogates: no one types them. */
const invisible = /[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

function oneLine(value: string): string {
  return value
    .replace(/\s+/g, ' ')
    .replace(invisible, '')
    .normalize('NFC')
    .trim()
    .replace(/ +/g, ' ');
}

function severalLines(value: string): string {
  return value
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(invisible, (character) => (character === '\n' ? character : ''))
    .normalize('NFC')
    .trim();
}

function padNumber(value: string, width: number): string {
  return /^\d+$/.test(value) ? value.replace(/^0+(?=\d)/, '').padStart(width, '0') : value;
}

/**
 * The one spelling of a value: outer blanks and invisible characters go, a choice takes the case of
 * its wire value, a phone is its ten digits, a zip its five, the domain of an e-mail address is in
 * lower case, months and days have two digits, line ends are `\n`. Idempotent; never throws. A value
 * that cannot be understood comes back trimmed, for `checkField` to refuse.
 */
export function normaliseField(fieldName: AskedFieldName, value: string): string {
  const field: AskedField = askedFields[fieldName];
  if (field.kind === 'description' || fieldName === 'message') return severalLines(value);
  const line = oneLine(value);
  switch (field.kind) {
    case 'choice': {
      const folded = line.toLowerCase();
      return field.values?.find((each) => each.toLowerCase() === folded) ?? line;
    }
    case 'phone':
      return phoneDigits(line);
    case 'zip': {
      const zip = /^(\d{5})(?:[- ]?\d{4})?$/.exec(line);
      return zip?.[1] ?? line;
    }
    case 'email': {
      const at = line.lastIndexOf('@');
      return at < 0 ? line : line.slice(0, at) + line.slice(at).toLowerCase();
    }
    case 'month':
    case 'day':
      return padNumber(line, 2);
    case 'number': {
      const number = /^\$? ?(\d[\d,]*)(\.0*)?$/.exec(line);
      return number ? padNumber(number[1]!.replaceAll(',', ''), 1) : line;
    }
    default:
      return line;
  }
}

/** What a check needs to know besides the value. */
export type CheckContext = {
  /** The visitor's calendar day. */
  readonly today: CalendarDate;
  /** Longest description in characters; default 1000. */
  readonly descriptionLimit?: number;
  /** The other answers, so that the parts of a date are checked together. */
  readonly answers?: Readonly<Partial<Record<string, string>>>;
};

function checkDatePart(
  field: AskedField,
  value: string,
  { today, answers = {} }: CheckContext,
): FieldError | undefined {
  const number = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  const part = (key: 'year' | 'month'): number =>
    Number(answers[field.parts?.[key] ?? ''] || Number.NaN);
  if (field.kind === 'year') {
    if (!(number >= today.year - 120)) return 'invalid';
    return number > today.year ? 'in_future' : undefined;
  }
  const year = part('year');
  const month = field.kind === 'month' ? number : part('month');
  const day = field.kind === 'day' ? number : 1;
  // A leap year and a long month stand in for what is not known yet.
  const date = { year: year || 2000, month: month || 1, day };
  if (Number.isNaN(number) || !isRealDate(date)) return 'invalid';
  return year && month && daysBetween(today, date) > 0 ? 'in_future' : undefined;
}

/**
 * The first thing wrong with a value, or undefined. The value need not be normalised. Only what can
 * be known here is checked: `unknown_zip` and `not_reachable` come from the look-ups.
 * Rules: document 1, section 5; document 2, section 5.
 */
export function checkField(
  fieldName: AskedFieldName,
  value: string | undefined,
  context: CheckContext,
): FieldError | undefined {
  const field: AskedField = askedFields[fieldName];
  const normal = normaliseField(fieldName, value ?? '');
  const isEmpty =
    normal === '' ||
    (/^0+$/.test(normal) &&
      field.kind !== 'zip' &&
      field.kind !== 'number' &&
      field.kind !== 'text');
  if (isEmpty) {
    // Something was typed of which nothing is left (a phone number of letters).
    if (field.kind === 'phone' && value?.trim()) return 'too_short';
    return field.optional ? undefined : 'required';
  }
  if (field.maxLength !== undefined && normal.length > field.maxLength) return 'too_long';
  switch (field.kind) {
    case 'choice':
      return field.values?.includes(normal) ? undefined : 'invalid';
    case 'email':
      return emailPattern.test(normal) ? undefined : 'invalid';
    case 'phone':
      if (normal.length < PHONE_DIGITS) return 'too_short';
      return normal.length > PHONE_DIGITS || normal.startsWith('0') ? 'invalid' : undefined;
    case 'zip':
      if (/^\d+$/.test(normal) && normal.length < ZIP_DIGITS) return 'too_short';
      return /^\d{5}$/.test(normal) ? undefined : 'invalid';
    case 'year':
    case 'month':
    case 'day':
      return checkDatePart(field, normal, context);
    case 'number':
      return /^\d+$/.test(normal) && Number(normal) <= (field.max ?? Number.MAX_SAFE_INTEGER)
        ? undefined
        : 'invalid';
    case 'description':
      if (!isLongEnough(normal)) return 'too_short';
      if (!hasEnoughWords(normal)) return 'too_few_words';
      return normal.length > (context.descriptionLimit ?? DESCRIPTION_LIMIT_CHARACTERS)
        ? 'too_long'
        : undefined;
    case 'date': {
      const date = field.format === 'us' ? parseUs(normal) : parseIso(normal);
      if (date === undefined) return 'invalid';
      return field.errors.includes('in_future') && daysBetween(context.today, date) > 0
        ? 'in_future'
        : undefined;
    }
    default:
      return undefined;
  }
}
