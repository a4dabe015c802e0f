import {
  array,
  boolean,
  finite,
  type GenericSchema,
  literal,
  maxLength,
  number,
  picklist,
  pipe,
  regex,
  safeParse,
  string,
  union,
  uuid,
} from 'valibot';
import { type CalendarDate, parseIso } from '../dates.ts';
import {
  type AskedField,
  askedFields,
  checkField,
  type FieldError,
  isAskedField,
  normaliseField,
} from './asked-fields.ts';

/** What can be wrong with a lead field: the errors of a question, or a value of the wrong type. */
export type LeadFieldError = FieldError | 'wrong_type';

/**
 * Where a field comes from.
 * - `asked`: a visitor's answer
 * - `contact_form`: the contact form's own names
 * - `zip_lookup`: set by the zip code
 * - `tracking`: the click, the browser, the certificates
 * - `derived`: follows from the answers; the server's value wins
 * - `check`: the result of a check
 * - `submit`: added when the lead is sent
 * - `one_to_one`: the one-to-one buyer consent
 * - `ours`: in neither document
 */
export type LeadFieldGroup =
  | 'asked'
  | 'contact_form'
  | 'zip_lookup'
  | 'tracking'
  | 'derived'
  | 'check'
  | 'submit'
  | 'one_to_one'
  | 'ours';

/** One field of a lead. All values are kept as strings; lists are joined by a comma. */
export type LeadField = {
  readonly group: LeadFieldGroup;
  /** Document and section that names the field. */
  readonly source: string;
  /** The normalised value's schema. */
  readonly schema: GenericSchema<unknown, string>;
  /** Longest stored value, in characters. */
  readonly maxLength: number;
  /** The one spelling of a value; idempotent. */
  readonly normalise: (value: string) => string;
  /** Every error that the field can have. */
  readonly errors: readonly LeadFieldError[];
};

type Shape = {
  readonly schema: GenericSchema<unknown, string>;
  readonly maxLength: number;
  readonly normalise: (value: string) => string;
  readonly errors: readonly LeadFieldError[];
};

/** Longest value of a field that has no limit of its own, in characters. */
const TEXT_CHARACTERS = 500;
const NUL = /\0/g;

/** Trimmed, composed, without what a database cannot hold (NUL, lone surrogates). */
function tidy(value: string): string {
  return value.replace(NUL, '').toWellFormed().normalize('NFC').trim();
}

function limited(longest: number): Shape {
  return {
    schema: pipe(string(), maxLength(longest)),
    maxLength: longest,
    normalise: tidy,
    errors: ['wrong_type', 'too_long'],
  };
}

function shaped(schema: GenericSchema<unknown, string>, longest: number, normalise = tidy): Shape {
  const orEmpty = union([literal(''), schema]);
  return { schema: orEmpty, maxLength: longest, normalise, errors: ['wrong_type', 'invalid'] };
}

function folded(...values: string[]): Shape {
  const normalise = (value: string): string => {
    const tidied = tidy(value);
    return values.find((each) => each.toLowerCase() === tidied.toLowerCase()) ?? tidied;
  };
  return shaped(picklist(values), Math.max(...values.map((value) => value.length)), normalise);
}

const text = limited(TEXT_CHARACTERS);
const longText = limited(10_000);
const address = limited(2000);
/** What a click brings along: ad networks' ids grow, and a lead that loses one is paid to nobody. */
const clickValue = limited(2000);
const yesNo = folded('yes', 'no');
const zeroOne = folded('0', '1');
const wholeNumber = shaped(pipe(string(), regex(/^-?\d{1,9}$/)), 10);
const id = shaped(pipe(string(), regex(/^\d{1,12}$/)), 12);
const isoDate = shaped(pipe(string(), regex(/^\d{4}-\d{2}-\d{2}$/)), 10);

/** The document's limits and errors of a question, as a lead field. */
function asAsked(name: keyof typeof askedFields): Shape {
  const field: AskedField = askedFields[name];
  const longest = field.kind === 'description' ? 10_000 : (field.maxLength ?? TEXT_CHARACTERS);
  return {
    schema: pipe(string(), maxLength(longest)),
    maxLength: longest,
    normalise: (value) => normaliseField(name, value),
    errors: ['wrong_type', ...field.errors],
  };
}

const contactFormNames = ['typeOfAccident', 'firstName', 'lastName', 'phoneNumber', 'message'];

/** Which document names an asked field; the others are ours. */
const documentOne = (
  'physical_injury with_Lawyer interested_in_psf settled_case prior_funding at_Fault doctor_treatment ' +
  'injury_year injury_month case_description email phone first_name last_name state zip_code ' +
  'lawyer_redirect_reason accident_type typeOfAccident firstName lastName phoneNumber message'
).split(' ');
const documentTwo = (
  'partial_fault pending_dui_charges type_of_alcohol_test_performed bac_level specific_injury ' +
  'prior_alcohol_related_offense injury_type police_report required_medical_treatment ' +
  'when_seek_medical_treatment when_seek_medical_treatment_date active_insurance_policy missed_work ' +
  'speaking_with_doctor hit_and_run hit_and_run_identified uninsured_motorist_coverage injury_day ' +
  'accident_date_button date_accident_occurred address state_accident_occurred current_compensation ' +
  'ageGroup isUSCitizen'
).split(' ');

function askedSource(name: string): string {
  if (documentOne.includes(name)) return 'document 1, section 3';
  return documentTwo.includes(name) ? 'document 2, section 3' : 'ours';
}

const askedLeadFields = Object.fromEntries(
  (Object.keys(askedFields) as (keyof typeof askedFields)[]).map((name) => [
    name,
    {
      ...asAsked(name),
      group: contactFormNames.includes(name) ? 'contact_form' : 'asked',
      source: askedSource(name),
    } satisfies LeadField,
  ]),
) as unknown as Record<keyof typeof askedFields, LeadField>;

function group<const Name extends string>(
  groupName: LeadFieldGroup,
  source: string,
  shapes: Record<Name, Shape>,
): Record<Name, LeadField> {
  const fields = Object.entries<Shape>(shapes).map(([name, shape]) => [
    name,
    { ...shape, group: groupName, source },
  ]);
  return Object.fromEntries(fields) as Record<Name, LeadField>;
}

/**
 * Every field that the entity sections of both documents name, and ours. Sub ids are stored whole and
 * cut to `INGEST_SUB_ID_CHARACTERS` only when they are sent.
 */
export const leadFields = {
  ...askedLeadFields,
  ...group('zip_lookup', 'document 1, section 3', { city: text, state_long: text, county: text }),
  ...group('derived', 'document 1, section 3', {
    enough_words: yesNo,
    accident_limit_exceeded: zeroOne,
    incident_date: isoDate,
    dq_reason: text,
  }),
  ...group('derived', 'document 2, section 3', {
    days_from_incident_date: wholeNumber,
    months_from_incident_date: wholeNumber,
    accident_within_last_year: yesNo,
    injury_rx_qualified: yesNo,
    do_not_send_to_dq: yesNo,
    lead_is_qualified: yesNo,
  }),
  ...group('check', 'document 1, section 3', { is_gibberish: yesNo, bad_words: yesNo }),
  ...group('check', 'document 2, section 3', { name_gibberish: yesNo, name_bad_word: yesNo }),
  ...group('tracking', 'document 1, section 3', {
    ip_address: limited(45),
    user_agent: limited(1024),
    trusted_form_cert_id: text,
    leadid_token: text,
    ef_transaction_id: clickValue,
    affid: text,
    sub_id: clickValue,
    sub_id2: clickValue,
    sub_id3: clickValue,
    sub_id4: clickValue,
    click_id: clickValue,
    gclid: clickValue,
    fbclid: clickValue,
    landing_page: address,
    page_referer: address,
  }),
  ...group('tracking', 'document 2, section 3', {
    oid: id,
    trustedform_cert_url: address,
    time_on_steps: longText,
  }),
  ...group('submit', 'document 1, section 3', {
    tcpa: longText,
    lp_subid1: clickValue,
    debug_id: text,
    language: limited(35),
    sms_verified: yesNo,
  }),
  ...group('submit', 'document 2, section 3', {
    lp_campaign_id: text,
    lp_supplier_id: text,
    lp_key: text,
    lp_s2: text,
    lp_action: text,
    landing_page_url: address,
    jornaya_leadid: text,
    original_affid: text,
    original_oid: text,
    settlement_offers: text,
    injuries_sustained: text,
    case_type: text,
  }),
  ...group('one_to_one', 'document 2, section 3', {
    '1_to_1_consent': yesNo,
    '1_to_1_result': text,
    '1_to_1_timeout': yesNo,
    '1_to_1_dq': text,
    selected_buyers: longText,
    selected_buyer_names: longText,
    displayed_buyers: longText,
    selected_buyers_number: wholeNumber,
    selected_buyers_changed: yesNo,
    all_possible_buyer_names: longText,
    all_possible_buyer_ids: longText,
    all_possible_buyers_number: wholeNumber,
  }),
  ...group('ours', 'ours', {
    lead_id: shaped(pipe(string(), uuid()), 36, (value) => tidy(value).toLowerCase()),
    survey: limited(100),
    date_of_birth: isoDate,
    traffic_source_pool: folded('google', 'facebook'),
    uid: text,
    source_id: text,
  }),
};

/** Name of a lead field. */
export type LeadFieldName = keyof typeof leadFields;

/** All names, in the order of the registry. */
export const leadFieldNames = Object.keys(leadFields) as readonly LeadFieldName[];

/** Whether a name is that of a lead field. */
export function isLeadField(name: string): name is LeadFieldName {
  return Object.hasOwn(leadFields, name);
}

/** A value that breaks a rule: as it came, with what is wrong with it. */
export type LeadFieldProblem = {
  readonly field: LeadFieldName;
  readonly error: LeadFieldError;
  readonly value: unknown;
};

/** A posted body taken apart; nothing of it is lost. */
export type ParsedLeadFields = {
  /** Normalised values that can be stored and used. */
  fields: Partial<Record<LeadFieldName, string>>;
  /** Values that break a rule. Those that only break a question's rule are in `fields` as well. */
  problems: LeadFieldProblem[];
  /** Everything under a name that is no lead field; a body that is no object is under `''`. */
  unknown: Record<string, unknown>;
};

const scalar = union([string(), pipe(number(), finite()), boolean()]);
const list = array(scalar);

/** One posted value as text: numbers and yes-or-no values written out, lists joined by a comma. */
function asText(value: unknown): string | undefined {
  const single = safeParse(scalar, value);
  if (single.success) {
    if (typeof single.output === 'boolean') return single.output ? 'yes' : 'no';
    return String(single.output);
  }
  const several = safeParse(list, value);
  return several.success ? several.output.map(String).join(',') : undefined;
}

/** Rules of a question that a stored value may break: it is usable text, only not a good answer. */
const storableErrors: readonly LeadFieldError[] = ['too_short', 'too_few_words', 'in_future'];

function checkShape(name: LeadFieldName, value: string): LeadFieldError | undefined {
  const { schema, maxLength: longest } = leadFields[name];
  if (value.length > longest)
    return leadFields[name].errors.includes('too_long') ? 'too_long' : 'invalid';
  return safeParse(schema, value).success ? undefined : 'invalid';
}

function isRealDateText(name: LeadFieldName, value: string): boolean {
  return leadFields[name].schema !== isoDate.schema || parseIso(value) !== undefined;
}

/** The last day that a date can have: stands in for today where nothing is to lie ahead. */
const END_OF_CALENDAR: CalendarDate = { year: 9999, month: 12, day: 31 };
const EARLIEST_YEAR = 1900;

/** The question's own rules; without a day to compare with, a date need only be real. */
function checkAsked(
  name: keyof typeof askedFields,
  value: string,
  answers: Readonly<Partial<Record<string, string>>>,
  options: { readonly today?: CalendarDate; readonly descriptionLimit?: number },
): FieldError | undefined {
  if (options.today === undefined && askedFields[name].kind === 'year') {
    return /^\d{4}$/.test(value) && Number(value) >= EARLIEST_YEAR ? undefined : 'invalid';
  }
  const { descriptionLimit } = options;
  const today = options.today ?? END_OF_CALENDAR;
  const context =
    descriptionLimit === undefined ? { today, answers } : { today, answers, descriptionLimit };
  const error = checkField(name, value, context);
  return error === 'required' ? 'invalid' : error;
}

/**
 * Takes a posted body apart. Never throws and never drops: a value that cannot be used comes back in
 * `problems` as it came, a name that is no lead field in `unknown`. Empty strings and null are no
 * answer and no problem; they are left out of `fields`.
 *
 * @param body The parsed JSON body, of any shape.
 * @param options `today`: the day against which dates are checked; without it, dates are checked for
 *   being real but not for lying ahead. `descriptionLimit`: in characters, default 1000.
 */
export function parseLeadFields(
  body: unknown,
  options: { readonly today?: CalendarDate; readonly descriptionLimit?: number } = {},
): ParsedLeadFields {
  const parsed: ParsedLeadFields = { fields: {}, problems: [], unknown: {} };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    if (body !== undefined) parsed.unknown[''] = body;
    return parsed;
  }
  const texts: Partial<Record<LeadFieldName, string>> = {};
  const raw = body as Record<string, unknown>;
  for (const [name, value] of Object.entries(raw)) {
    if (!isLeadField(name)) {
      // A plain assignment would take the name __proto__ for the object's prototype.
      Object.defineProperty(parsed.unknown, name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
      continue;
    }
    if (value === null || value === undefined) continue;
    const asString = asText(value);
    if (asString === undefined) {
      parsed.problems.push({ field: name, error: 'wrong_type', value });
      continue;
    }
    texts[name] = leadFields[name].normalise(asString);
  }
  for (const [name, value] of Object.entries(texts) as [LeadFieldName, string][]) {
    const given = raw[name];
    let error: LeadFieldError | undefined;
    if (value === '') {
      // Something was sent of which nothing is left, such as a phone number of letters.
      error = String(given).trim() === '' ? undefined : 'invalid';
    } else {
      error = checkShape(name, value);
      if (!error && !isRealDateText(name, value)) error = 'invalid';
      if (!error && isAskedField(name)) error = checkAsked(name, value, texts, options);
    }
    if (error) parsed.problems.push({ field: name, error, value: given });
    const isDescriptionOverLimit =
      error === 'too_long' && value.length <= leadFields[name].maxLength;
    if (value !== '' && (!error || storableErrors.includes(error) || isDescriptionOverLimit)) {
      parsed.fields[name] = value;
    }
  }
  return parsed;
}
