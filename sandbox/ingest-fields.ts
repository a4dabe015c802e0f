import { isIP } from 'node:net';
import * as v from 'valibot';

/**
 * The lead fields that the sandbox accepts. The list shares no code with `src/`, because the
 * sandbox must refuse field names that `src/` misspells.
 */
type FieldSchema = v.GenericSchema;

const maxTextLength = 10_000;

const scalar = (test: (text: string) => boolean, message: string): FieldSchema =>
  v.pipe(
    v.union([v.string(), v.number(), v.boolean()], 'expected a flat value'),
    v.check((value) => value === '' || test(String(value)), message),
  );

const pattern = (regex: RegExp, expected: string): FieldSchema =>
  scalar((text) => regex.test(text), `expected ${expected}`);

const text = scalar((value) => value.length <= maxTextLength, 'longer than 10,000 characters');
// Accepts negative numbers of days, because the visitor's date can be a day ahead of the server's
// date.
const wholeNumber = pattern(/^-?\d{1,7}$/, 'a whole number');
const isoDate = pattern(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'yyyy-MM-dd');
const isoTime = pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'a time in UTC');
const usDate = pattern(/^(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])\/\d{4}$/, 'MM/DD/YYYY');
const webAddress = scalar(
  (value) => /^https?:\/\//.test(value) && URL.canParse(value),
  'expected an address with http or https',
);
const subId = scalar((value) => value.length <= 75, 'longer than 75 characters');

const jsonObject = scalar((value) => {
  try {
    return /^\{/.test(value) && typeof JSON.parse(value) === 'object';
  } catch {
    return false;
  }
}, 'a JSON object as text');

/** Returns the schemas of optional fields. `names` lists the fields with a schema. */
const fields = (...table: readonly (readonly [FieldSchema, names: string])[]) =>
  Object.fromEntries(
    table.flatMap(([schema, names]) =>
      names.split(/\s+/).map((name) => [name, v.optional(schema)]),
    ),
  );

const email = pattern(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address');
const phone = pattern(/^\d{10}$/, '10 digits');

const contactFields = fields(
  [email, 'email'],
  [phone, 'phone'],
  [isoDate, 'date_of_birth'],
  [
    text,
    `first_name last_name date_of_birth_year date_of_birth_month date_of_birth_day address message
    law_firm_name law_firm_phone`,
  ],
);

const placeFields = fields(
  [pattern(/^\d{5}$/, '5 digits'), 'zip_code'],
  [pattern(/^[A-Z]{2}$/, 'a state of 2 capital letters'), 'state'],
  [text, 'city state_long county state_accident_occurred'],
);

/** The brief names these fields up to `motor_vehicle_accident`. We chose the other names. */
const caseFields = fields(
  [pattern(/^(Yes|No)$/, 'Yes or No'), 'physical_injury'],
  [pattern(/^(yes|no)$/i, 'yes or no'), 'doctor_treatment'],
  [
    pattern(/^(yes|no)$/, 'yes or no'),
    `with_Lawyer at_Fault pending_dui_charges prior_alcohol_related_offense
    required_medical_treatment enough_words is_gibberish bad_words name_gibberish name_bad_word
    hit_and_run injury_rx_qualified accident_within_last_year lead_is_qualified do_not_send_to_dq
    sms_verified`,
  ],
  [isoTime, 'sms_verified_at'],
  [pattern(/^\d\d:\d\d$/, 'a time of day'), 'may_call_from may_call_until'],
  [pattern(/^\w+\/[\w/-]+$/, 'a time zone'), 'may_call_time_zone'],
  [pattern(/^no$/, 'no'), 'may_call_on_sunday'],
  [pattern(/^(English|Spanish)$/, 'a language'), 'call_language'],
  [pattern(/^(morning|afternoon|evening)$/, 'a time of day'), 'call_time'],
  [pattern(/^[01]$/, '0 or 1'), 'accident_limit_exceeded'],
  [pattern(/^(19|20)\d{2}$/, 'a year'), 'injury_year'],
  [pattern(/^(0?[1-9]|1[0-2])$/, 'a month'), 'injury_month'],
  [pattern(/^(0?[1-9]|[12]\d|3[01])$/, 'a day'), 'injury_day'],
  [isoDate, 'incident_date'],
  [usDate, 'date_accident_occurred'],
  [wholeNumber, 'days_from_incident_date months_from_incident_date current_compensation'],
  [
    text,
    `interested_in_psf settled_case prior_funding funding_amount case_description dq_reason
    lawyer_redirect_reason accident_type type_of_accident partial_fault
    type_of_alcohol_test_performed bac_level specific_injury injury_type police_report
    when_seek_medical_treatment when_seek_medical_treatment_date active_insurance_policy
    missed_work speaking_with_doctor hit_and_run_identified uninsured_motorist_coverage
    accident_date_button settlement_offers injuries_sustained case_type ageGroup isUSCitizen
    motor_vehicle_accident other_vehicle_type type_of_medical_treatment willing_to_treat
    will_require_medical_treatment ticket_type ticket_received`,
  ],
);

const trackingFields = fields(
  [scalar((value) => isIP(value) !== 0, 'expected an IPv4 or IPv6 address'), 'ip_address'],
  [webAddress, 'landing_page landing_page_url'],
  [pattern(/^(en|es)$/, 'en or es'), 'language'],
  [
    text,
    `lead_id survey user_agent trusted_form_cert_id trustedform_cert_url leadid_token
    jornaya_leadid ef_transaction_id affid original_affid oid original_oid sub_id sub_id2 sub_id3
    sub_id4 click_id gclid fbclid page_referer tcpa time_on_steps debug_id 1_to_1_consent
    1_to_1_result 1_to_1_timeout 1_to_1_dq selected_buyers selected_buyer_names displayed_buyers
    selected_buyers_number selected_buyers_changed all_possible_buyer_names
    all_possible_buyer_ids all_possible_buyers_number`,
  ],
);

const leadProsperFields = fields(
  [pattern(/^test$/, 'test'), 'lp_action'],
  [text, 'lp_s2'],
  [subId, 'lp_subid1 lp_subid2 lp_subid3 lp_subid4 lp_subid5'],
);

export const leadProsperTexts = fields([
  text,
  'lp_s2 lp_subid1 lp_subid2 lp_subid3 lp_subid4 lp_subid5',
]);

/** The lead fields that do not identify a person. */
export const impersonalLeadFields = { ...placeFields, ...caseFields, ...trackingFields };

/** All lead fields except the fields that third parties add. */
export const leadFields = { ...impersonalLeadFields, ...contactFields };

const filled = (schema: FieldSchema): FieldSchema =>
  v.pipe(
    schema,
    v.check((value) => String(value).trim() !== '', 'empty'),
  );

const requiredFields = {
  lp_campaign_id: filled(pattern(/^\d+$/, 'a number')),
  lp_supplier_id: filled(pattern(/^\d+$/, 'a number')),
  lp_key: filled(text),
  first_name: filled(text),
  last_name: filled(text),
  email: filled(email),
  phone: filled(phone),
};

/** The fields of the ingest campaign. */
export const campaignFields: Record<string, FieldSchema> = {
  ...leadFields,
  ...leadProsperFields,
  verification: v.optional(jsonObject),
  ...requiredFields,
};

const accidents =
  /^(Car Accident|Truck Accident|Bicycle Accident|Motorcycle Accident|Pedestrian Accident|Other)$/;

/** The fields of the contact form's campaign. */
export const contactCampaignFields: Record<string, FieldSchema> = {
  ...trackingFields,
  ...fields([text, 'utm_source utm_medium utm_campaign utm_term utm_content']),
  ...leadProsperFields,
  ...requiredFields,
  type_of_accident: filled(pattern(accidents, 'one of the six types')),
  message: filled(text),
};
