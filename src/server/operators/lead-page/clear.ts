/**
 * Which values of a lead everyone may see: an allow-list. A field that is not named here, and a value that does
 * not have its field's closed form, is personal until an operator opens the lead.
 */
import { disqualifications } from '../../../contract/vocabulary.ts';
import { type AskedField, askedFields, isAskedField } from '../../../domain/asked-fields.ts';
import { isImpersonalAnswer } from '../../../domain/lead-fields.ts';

const YES_NO = /^(yes|no)$/i;
const WHOLE_NUMBER = /^-?\d{1,6}$/;
const ID = /^\d{1,9}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const US_DATE = /^\d{2}\/\d{2}\/\d{4}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/;
const LANGUAGE = /^[a-z]{2}(-[A-Z]{2})?$/;

const DQ_REASON = {
  test: (value: string) => value === '' || Object.hasOwn(disqualifications, value),
};

/** The fields that are not asked by buttons, each with the form that its value must have to be shown. */
const FORMS: Readonly<Record<string, { test(value: string): boolean }>> = {
  // Dates and counts of the accident
  injury_month: /^\d{1,2}$/,
  injury_day: /^\d{1,2}$/,
  injury_year: /^\d{4}$/,
  incident_date: DATE,
  date_accident_occurred: US_DATE,
  when_seek_medical_treatment_date: DATE,
  days_from_incident_date: WHOLE_NUMBER,
  months_from_incident_date: WHOLE_NUMBER,
  current_compensation: WHOLE_NUMBER,
  // Decisions
  enough_words: YES_NO,
  accident_limit_exceeded: /^[01]$/,
  accident_within_last_year: YES_NO,
  injury_rx_qualified: YES_NO,
  do_not_send_to_dq: YES_NO,
  lead_is_qualified: YES_NO,
  dq_reason: DQ_REASON,
  // Checks
  is_gibberish: YES_NO,
  bad_words: YES_NO,
  name_gibberish: YES_NO,
  name_bad_word: YES_NO,
  sms_verified: YES_NO,
  sms_verified_at: TIME,
  // Routing
  oid: ID,
  affid: ID,
  original_oid: ID,
  original_affid: ID,
  lp_action: /^test$/,
  traffic_source_pool: /^(google|facebook)$/,
  // The page
  language: LANGUAGE,
  came_by: /^(form|form and script)$/,
  consent_version: /^\d{4}-\d{2}-\d{2}( [a-z]{1,20})?$/,
  consent_shown_at: TIME,
  submitted_at: TIME,
  flow_version: /^[0-9a-f]{12,64}$/,
  // One-to-one consent
  '1_to_1_consent': YES_NO,
  '1_to_1_timeout': YES_NO,
  selected_buyers_number: WHOLE_NUMBER,
  selected_buyers_changed: YES_NO,
  all_possible_buyers_number: WHOLE_NUMBER,
};

/** State codes, which a look-up sets. */
const STATES: readonly string[] = askedFields.state.values ?? [];
const STATE_FIELDS: ReadonlySet<string> = new Set([
  'state',
  'state_accident_occurred',
  'visitor_state',
]);

/** Returns whether everyone may see this value of this field. An empty value tells nothing, so it is clear. */
export function isClear(field: string, value: string): boolean {
  if (value === '') return true;
  if (STATE_FIELDS.has(field)) return STATES.includes(value);
  if (Object.hasOwn(FORMS, field)) return FORMS[field]?.test(value) ?? false;
  return isButton(field, value);
}

/** Returns whether a value is one of the buttons of a question about the case. */
function isButton(field: string, value: string): boolean {
  if (!isAskedField(field) || !isImpersonalAnswer(field)) return false;
  const { values = [] }: AskedField = askedFields[field];
  return values.some((each) => each.toLowerCase() === value.toLowerCase());
}

/** The inputs of rules that are no fields of a lead, each with the form of its values. */
const INPUTS: Readonly<Record<string, RegExp>> = {
  best_date_known: DATE,
  today: DATE,
  days: WHOLE_NUMBER,
  months: WHOLE_NUMBER,
  years: WHOLE_NUMBER,
  words: WHOLE_NUMBER,
  characters: WHOLE_NUMBER,
  fewer_than: WHOLE_NUMBER,
  qualified: YES_NO,
  trigger: /^(up_to_15_days|exactly_15_days|never)$/,
  table: /^(coded|present)$/,
  flow: /^(never|as qualified)$/,
};

/** Returns whether everyone may see this input of a rule. */
export function isClearInput(name: string, value: string): boolean {
  return INPUTS[name]?.test(value) ?? isClear(name, value);
}

const RESULT =
  /^(yes|no|true|false|passes|rejects|cleared|-?\d{1,6}|\d{4}-\d{2}-\d{2}|not known|state not known|no description|0 \(state or date not known\)| -- the driver was identified| -- plaintiff has UM insurance)?$/;

/** Returns whether everyone may see this result of a rule. */
export function isClearResult(value: string): boolean {
  return RESULT.test(value);
}

/** The parts of services' answers that describe a person's number or address without naming it. */
const SAID: Readonly<Record<string, RegExp>> = {
  valid: /^(true|false)$/,
  active: /^(true|false|null)$/,
  disposable: /^(true|false)$/,
  dns_valid: /^(true|false)$/,
  timed_out: /^(true|false)$/,
  known: /^(true|false)$/,
  fraud_score: /^\d{1,3}$/,
  line_type: /^(Wireless|Landline|VOIP|Toll Free|Premium Rate|Pager|Satellite|Unknown)$/i,
  is_gibberish: YES_NO,
};

/** Returns whether everyone may see this part of a service's answer. */
export function isClearAnswer(name: string, value: string): boolean {
  return SAID[name]?.test(value) ?? false;
}

/** Fixed words that the code stores beside a lead. Anything else in their place is masked. */
export const CLEAR_WORDS: ReadonlySet<string> = new Set([
  // Kinds of steps
  ...['viewed', 'answered', 'back', 'submitted', 'refused'],
  // Problems of a post, and their reasons
  ...['bad_value', 'unknown_field', 'unreached_field', 'incomplete', 'unknown_survey'],
  ...['unlikely_time', 'missing_consent', 'other_flow', 'held'],
  ...['reserved', 'wrong_type', 'required', 'invalid', 'too_long', 'too_short', 'too_few_words'],
  ...['too_many_digits', 'area_code', 'not_reachable', 'doubtful', 'no_at', 'has_space', 'several'],
  ...['unknown_zip', 'in_future'],
  // Outcomes of codes and sends
  ...['sent', 'too_many', 'blocked', 'failed', 'approved', 'wrong', 'expired'],
  ...['delivered', 'duplicate', 'rejected', 'account', 'retry', 'server error', 'unknown'],
  ...['under way', 'end unknown'],
  // States of deliveries
  ...['waiting', 'sending', 'retrying', 'dead', 'uncertain', 'no_destination', 'suppressed'],
  // Services of checks
  ...['phone', 'email', 'gibberish', 'zip', 'mapping', 'buyers', 'verification'],
]);
