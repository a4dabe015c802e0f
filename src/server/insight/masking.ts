/** Masks a lead's personal data until the reader gives a reason for seeing the data. */
import { askedFields, isAskedField } from '../../model/fields/asked-fields.ts';
import { isImpersonalAnswer, isLeadField } from '../../model/fields/lead-fields.ts';
import type { TimelineDetail, TimelineEntry } from '../../model/messages/console/leads.ts';
import { disqualifications } from '../../model/messages/vocabulary.ts';
import type { SaleRules } from '../delivery/index.ts';
import type { TimeFormatter } from '../platform/time-format.ts';
import type { BuyerNames } from './words.ts';

/** An entry of the timeline without its time and kind. */
export type EntryPart = Pick<TimelineEntry, 'id' | 'title'> &
  Partial<Omit<TimelineEntry, 'at' | 'kind'>>;

/** Replaces a masked value. The length is always the same, and so reveals nothing. */
export const MASKED = '•••';

/** A lead, with the facts that decide what the reader may see. */
export type View = {
  readonly isOpened: boolean;
  readonly clock: TimeFormatter;
  readonly now: Date;
  /** The names of the steps of the lead's survey. */
  readonly steps: ReadonlySet<string>;
  /** The price of one call of a paid service, in US dollars. */
  readonly checkPrice?: number | undefined;
  readonly saleRules: SaleRules;
  readonly buyerNames: BuyerNames;
};

/** Returns a value as text: JSON for objects. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** Returns a text, or dots if the reader may not see the text. */
export function shown(view: View, text: string, isOpen: boolean): string {
  return view.isOpened || isOpen || text === '' ? text : MASKED;
}

/** Returns a label with a value, or with dots if the reader may not see the value. */
export function detail(view: View, label: string, value: unknown, isOpen: boolean): TimelineDetail {
  const text = textOf(value);
  return view.isOpened || isOpen || text === ''
    ? { label, value: text }
    : { label, value: MASKED, isMasked: true };
}

/** Returns a label with a value that may identify the person, or that a third party wrote. */
export function personal(view: View, label: string, value: unknown): TimelineDetail {
  return detail(view, label, value, false);
}

/** Returns a label with a value that our own code wrote, and that everyone may see. */
export function open(label: string, value: string | number): TimelineDetail {
  return { label, value: String(value) };
}

/** Returns a field's name, or dots if the lead has no field of this name. */
export function fieldName(view: View, name: unknown): string {
  const text = textOf(name);
  return view.isOpened || isLeadField(text) ? text : 'another field';
}

/** Returns a field's name with its value, or with dots if the reader may not see the value. */
export function field(view: View, name: string, value: unknown): TimelineDetail {
  return detail(view, fieldName(view, name), value, isClear(name, textOf(value)));
}

/** Returns the names of all fields, each with its value or with dots. */
export function fields(view: View, values: unknown): TimelineDetail[] {
  return Object.entries(Object(values)).map(([name, value]) => field(view, name, value));
}

/** Returns a step's name, or dots if the lead's survey has no such step. */
export function stepName(view: View, step: string): string {
  return view.isOpened || view.steps.has(step) ? step : 'a step that the survey no longer has';
}

const VERSION = /^([0-9a-f]{64}|[\w-]{43})$/;

/** Returns a label with the version of the rules or of a flow. */
export function version(view: View, label: string, value: string): TimelineDetail {
  return detail(view, label, value, VERSION.test(value));
}

const YES_NO = /^(yes|no)$/i;
const WHOLE_NUMBER = /^-?\d{1,6}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/;

type Form = { test(value: string): boolean };
const STATES: readonly string[] = askedFields.state.values ?? [];
/** Allows codes of US states, which the server derives from zip codes. */
const STATE: Form = { test: (value) => STATES.includes(value) };

function formed(form: Form, ...fields: readonly string[]): (readonly [string, Form])[] {
  return fields.map((field) => [field, form]);
}

/** Maps each field without buttons to the form of the values that everyone may see. */
const FORMS: ReadonlyMap<string, Form> = new Map([
  ...formed(STATE, 'state', 'state_accident_occurred', 'visitor_state'),
  ...formed(/^\d{1,2}$/, 'injury_month', 'injury_day'),
  ...formed(/^\d{4}$/, 'injury_year'),
  ...formed(DATE, 'incident_date', 'when_seek_medical_treatment_date'),
  ...formed(/^\d{2}\/\d{2}\/\d{4}$/, 'date_accident_occurred'),
  ...formed(WHOLE_NUMBER, 'days_from_incident_date', 'months_from_incident_date'),
  ...formed(WHOLE_NUMBER, 'current_compensation'),
  ...formed(YES_NO, 'enough_words', 'accident_within_last_year', 'injury_rx_qualified'),
  ...formed(YES_NO, 'do_not_send_to_dq', 'lead_is_qualified'),
  ...formed(/^[01]$/, 'accident_limit_exceeded'),
  ...formed({ test: (value) => Object.hasOwn(disqualifications, value) }, 'dq_reason'),
  ...formed(YES_NO, 'is_gibberish', 'bad_words', 'name_gibberish', 'name_bad_word'),
  ...formed(YES_NO, 'sms_verified'),
  ...formed(/^\d{2}:\d{2}$/, 'may_call_from', 'may_call_until'),
  ...formed(/^[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z_]+){1,2}$/, 'may_call_time_zone'),
  ...formed(/^no$/, 'may_call_on_sunday'),
  ...formed(TIME, 'sms_verified_at', 'consent_shown_at', 'submitted_at'),
  ...formed(/^\d{1,9}$/, 'oid', 'affid', 'original_oid', 'original_affid'),
  ...formed(/^test$/, 'lp_action'),
  ...formed(/^(google|facebook)$/, 'traffic_source_pool'),
  ...formed(/^[a-z]{2}(-[A-Z]{2})?$/, 'language'),
  ...formed(/^(form|form and script)$/, 'came_by'),
  ...formed(/^\d{4}-\d{2}-\d{2}( [a-z]{1,20})?$/, 'consent_version'),
  ...formed(/^[0-9a-f]{12,64}$/, 'flow_version'),
  ...formed(YES_NO, '1_to_1_consent', '1_to_1_timeout', 'selected_buyers_changed'),
  ...formed(WHOLE_NUMBER, 'selected_buyers_number', 'all_possible_buyers_number'),
]);

/** Returns whether everyone may see this value of this field. */
export function isClear(field: string, value: string): boolean {
  if (value === '') return true;
  return FORMS.get(field)?.test(value) ?? isButton(field, value);
}

function isButton(field: string, value: string): boolean {
  if (!isAskedField(field) || !isImpersonalAnswer(field)) return false;
  const { values = [] } = askedFields[field];
  return values.some((each) => each.toLowerCase() === value.toLowerCase());
}

/** Maps each input of a rule to the form of the values that everyone may see. */
const INPUTS: ReadonlyMap<string, Form> = new Map([
  ...formed(DATE, 'best_date_known', 'today'),
  ...formed(WHOLE_NUMBER, 'days', 'months', 'years', 'words', 'characters', 'fewer_than'),
  ...formed(/^(up_to_15_days|exactly_15_days|never)$/, 'trigger'),
  ...formed(/^(coded|present)$/, 'table'),
  ...formed(/^(never|as qualified)$/, 'flow'),
  ...formed(/^[A-Z]{2}( [A-Z]{2})?$/, 'states', 'decided_by'),
  ...formed(YES_NO, 'qualified', 'chosen_firm', 'may_be_sold'),
  ...formed(DATE, 'decided_on', 'since', 'checked_on', 'operator_since'),
  // The table and the settings have these texts, never a visitor.
  ...formed(/^/, 'row', 'source', 'operator_reason'),
]);

/** Returns whether everyone may see this input of a rule. */
export function isClearInput(name: string, value: string): boolean {
  return INPUTS.get(name)?.test(value) ?? isClear(name, value);
}

const RESULT =
  /^(yes|no|true|false|passes|rejects|cleared|allowed|needs_basis|named_firm_only|prohibited|-?\d{1,6}|\d{4}-\d{2}-\d{2}|not known|state not known|no description|0 \(state or date not known\)| -- the driver was identified| -- plaintiff has UM insurance)?$/;

/** Returns whether everyone may see this result of a rule. */
export function isClearResult(value: string): boolean {
  return RESULT.test(value);
}

/** Maps each property of a service's answer to the form of the values that everyone may see. */
const SAID: ReadonlyMap<string, Form> = new Map([
  ...formed(/^(true|false)$/, 'valid', 'disposable', 'dns_valid', 'timed_out', 'known'),
  ...formed(/^(true|false|null)$/, 'active'),
  ...formed(/^\d{1,3}$/, 'fraud_score'),
  ...formed(
    /^(Wireless|Landline|VOIP|Toll Free|Premium Rate|Pager|Satellite|Unknown)$/i,
    'line_type',
  ),
  ...formed(YES_NO, 'is_gibberish'),
]);

/** Returns whether everyone may see this property of a service's answer. */
export function isClearAnswer(name: string, value: string): boolean {
  return SAID.get(name)?.test(value) ?? false;
}

const DOT = '•';

/** Masks names except their initials: `M… R…`. */
export function maskName(...names: readonly (string | undefined)[]): string {
  return names
    .map((name) => name?.trim() ?? '')
    .filter((name) => name !== '')
    .map((name) => `${[...name][0]}…`)
    .join(' ');
}

/** Masks a US phone number except its last two digits: `(•••) •••-••17`. */
export function maskPhone(phone: string | undefined): string {
  const digits = (phone ?? '').replace(/\D/g, '');
  if (digits.length < 4) return digits === '' ? '' : DOT.repeat(digits.length);
  return `(${DOT.repeat(3)}) ${DOT.repeat(3)}-${DOT.repeat(2)}${digits.slice(-2)}`;
}

/** Masks an e-mail address except the initials of its parts: `m…@g….com`. */
export function maskEmail(email: string | undefined): string {
  const [local = '', domain = ''] = (email ?? '').split('@');
  if (local === '') return '';
  const end = /\.[a-z]{2,}$/i.exec(domain)?.[0] ?? '';
  return `${[...local][0]}…@${[...domain][0] ?? ''}…${end}`;
}
