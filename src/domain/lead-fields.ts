/**
 * The registry of lead fields. Any set of fields is a selection from this table (`fieldsWhere`); there
 * are no other lists.
 */
import { type AskedFieldName, askedFields, isAskedField } from './asked-fields.ts';
import {
  address,
  asAsked,
  certificateAddress,
  certificateId,
  clickValue,
  type FieldShape,
  folded,
  id,
  isoDate,
  leadId,
  limited,
  longText,
  templatedText,
  text,
  wholeNumber,
  yesNo,
  zeroOne,
} from './field-shapes.ts';
import { SPECIAL_AFFILIATE_ID, SPECIAL_OFFER_ID } from './special-states.ts';

/**
 * The origin of a field's value.
 * - `visitor`: an answer
 * - `visitor_or_rule`: an answer in some flows, set by a rule in others. The page posts the rule's
 *   value too, so a value without a question is no error
 * - `contact_form`: a field of the contact form only
 * - `click`: the landing page's address; also stored with the click
 * - `page`: the page itself: consent shown, certificates, times, addresses
 * - `server`: the request, a look-up, a check, or the survey's configuration
 * - `rule`: derived from the answers
 * - `buyer_list`: the buyer list and the choice, in one-to-one surveys only
 */
type FieldOrigin =
  | 'visitor'
  | 'visitor_or_rule'
  | 'contact_form'
  | 'click'
  | 'page'
  | 'server'
  | 'rule'
  | 'buyer_list';

/** How a field is treated from the post to the buyer. */
type FieldFate = {
  readonly from: FieldOrigin;
  /** The specification's section on the field, or `ours` if the brief does not name it. */
  readonly source: string;
  /**
   * Whether a posted value is used: always (`counts`), only if the server has no value (`fallback`),
   * or never (`ignored`).
   */
  readonly posted: 'counts' | 'fallback' | 'ignored';
  /** Whether to record a difference between the browser's value and the server's. */
  readonly isCompared: boolean;
  /** `always`: sent even if empty (docs/specification.md#core-fields, and the server's fields). */
  readonly goesOut: 'always' | 'where_known' | 'never';
  /** Identifies the visitor; no service receives it before the lead is posted. */
  readonly isPersonal?: true;
  /** Values that only a rule may set; ignored if posted. */
  readonly reserved?: readonly string[];
  /** The rule that sets, forces or removes the field. Documentation only. */
  readonly rule?: string;
};

/** One field of a lead. All values are strings; lists are joined by a comma. */
type LeadField = FieldShape & FieldFate;

const D1 = 'docs/specification.md#core-fields';
const D2 = 'docs/specification.md#fields-of-the-variants';
const OURS = 'ours';

type Extra = Partial<Omit<FieldFate, 'source'>>;

const always = { goesOut: 'always' } as const;
const personal = { isPersonal: true } as const;
const counts = { posted: 'counts' } as const;

/** Returns a constructor of rows of one origin: its defaults, overridden by `extra`. */
function row(from: FieldOrigin, usual: Required<Pick<FieldFate, 'posted' | 'isCompared'>>) {
  return (source: string, extra: Extra = {}): FieldFate => ({
    from,
    source,
    goesOut: 'where_known',
    ...usual,
    ...extra,
  });
}

const asked = row('visitor', { posted: 'counts', isCompared: false });
const askedOrRuled = row('visitor_or_rule', { posted: 'counts', isCompared: false });
const contactForm = row('contact_form', { posted: 'ignored', isCompared: false });
const ofBuyers = row('buyer_list', { posted: 'ignored', isCompared: true });
const click = row('click', { posted: 'counts', isCompared: false });
const page = row('page', { posted: 'counts', isCompared: false });
const server = row('server', { posted: 'ignored', isCompared: true });
const ruled = row('rule', { posted: 'ignored', isCompared: true });

const unasked = contactForm(D1, { goesOut: 'never', isPersonal: true });
/** Fields between browser and server, unknown to buyers. */
const envelope = page(OURS, { goesOut: 'never' });
/** The billing account. Each delivery adds it; a posted value is ignored. */
const account = server(D2, { isCompared: false, goesOut: 'never' });
const place = server(D1, { posted: 'fallback', goesOut: 'always' });

/** The treatment of the asked fields. `asked-fields.ts` has their shapes. */
const askedFates: Readonly<Record<AskedFieldName, FieldFate>> = {
  // Accident
  accident_type: asked(D1, { rule: 'Car Accident in Ep and VW3' }),
  motor_vehicle_accident: asked(OURS),
  other_vehicle_type: asked(OURS),
  injury_month: asked(D1, { ...always, rule: 'the best accident date known' }),
  injury_year: asked(D1, { ...always, rule: 'the best accident date known' }),
  injury_day: askedOrRuled(D2, { rule: 'the best accident date known; 01 by default' }),
  accident_date_button: asked(D2),
  at_Fault: asked(D1, { ...always, rule: 'fault.partial' }),
  partial_fault: asked(D2),
  police_report: asked(D2),
  hit_and_run: asked(D2),
  hit_and_run_identified: asked(D2),
  uninsured_motorist_coverage: asked(D2),

  // Injury and treatment
  physical_injury: askedOrRuled(D1, { ...always, rule: 'treatment.forced' }),
  specific_injury: asked(D2),
  injury_type: asked(D2),
  active_insurance_policy: asked(D2),
  missed_work: asked(D2),
  speaking_with_doctor: asked(D2),
  doctor_treatment: askedOrRuled(D1, { ...always, rule: 'treatment.forced' }),
  type_of_medical_treatment: asked(OURS),
  willing_to_treat: asked(OURS),
  required_medical_treatment: asked(D2),
  will_require_medical_treatment: asked(OURS),
  when_seek_medical_treatment: askedOrRuled(D2, { rule: 'treatment.forced' }),
  when_seek_medical_treatment_date: askedOrRuled(D2, { rule: 'treatment.forced' }),

  // Lawyer and funding
  with_Lawyer: asked(D1, { ...always, rule: 'lawyer.reason_means_yes' }),
  lawyer_redirect_reason: askedOrRuled(D1, { rule: 'set with a lawyer, removed without one' }),
  interested_in_psf: asked(D1, always),
  funding_amount: asked(OURS),
  settled_case: asked(D1, always),
  prior_funding: asked(D1, always),
  law_firm_name: asked(OURS, personal),
  law_firm_phone: asked(OURS, personal),

  // Driving under the influence
  pending_dui_charges: asked(D2),
  type_of_alcohol_test_performed: asked(D2),
  bac_level: asked(D2),
  prior_alcohol_related_offense: asked(D2),

  // Free text
  case_description: asked(D1, { ...always, rule: 'hit_and_run.addition' }),

  // Contact
  first_name: asked(D1, { ...always, ...personal }),
  last_name: asked(D1, { ...always, ...personal }),
  email: asked(D1, { ...always, ...personal }),
  phone: asked(D1, { ...always, ...personal }),
  zip_code: asked(D1, always),
  state: place,
  state_choice: asked(OURS, { goesOut: 'never' }),
  address: asked(D2, personal),
  date_of_birth_month: asked(OURS, personal),
  date_of_birth_day: asked(OURS, personal),
  date_of_birth_year: asked(OURS, personal),

  // One-to-one consent: the page posts the displayed buyers, which show its path through the flow
  '1_to_1_consent': ofBuyers(D2, counts),
  displayed_buyers: ofBuyers(D2, counts),
  displayed_buyer_ids: ofBuyers(OURS, { ...counts, isCompared: false, goesOut: 'never' }),
  selected_buyers: ofBuyers(D2, counts),

  // Compensation estimator, ticket, age and citizenship
  current_compensation: asked(D2),
  ticket_type: asked(OURS),
  ticket_received: asked(OURS),
  state_accident_occurred: asked(D2, { rule: 'the state, in the short variants' }),
  date_accident_occurred: asked(D2, { rule: 'the best accident date known, in ticket' }),
  ageGroup: asked(D2),
  isUSCitizen: asked(D2),

  // Contact form
  typeOfAccident: unasked,
  firstName: unasked,
  lastName: unasked,
  phoneNumber: unasked,
  message: unasked,
};

const askedLeadFields = Object.fromEntries(
  (Object.keys(askedFates) as AskedFieldName[]).map((name) => [
    name,
    { ...asAsked(name), ...askedFates[name] },
  ]),
) as Record<AskedFieldName, LeadField>;

/**
 * All lead fields, by name. Sub ids are stored whole and cut to `INGEST_SUB_ID_CHARACTERS` only when
 * sent.
 */
export const leadFields = {
  ...askedLeadFields,

  // The zip code's place; `state` is among the answers
  city: { ...text, ...place },
  state_long: { ...text, ...place, rule: 'removed in ticket' },
  county: { ...text, ...place },

  // Derived from the answers
  enough_words: { ...yesNo, ...ruled(D1, always) },
  accident_limit_exceeded: { ...zeroOne, ...ruled(D1, { ...always, rule: 'removed in ticket' }) },
  incident_date: { ...isoDate, ...ruled(D1, always) },
  dq_reason: { ...text, ...ruled(D1, always) },
  days_from_incident_date: { ...wholeNumber, ...ruled(D2) },
  months_from_incident_date: { ...wholeNumber, ...ruled(D2) },
  accident_within_last_year: { ...yesNo, ...ruled(D2, { rule: 'removed in ticket' }) },
  injury_rx_qualified: { ...yesNo, ...ruled(D2) },
  do_not_send_to_dq: { ...yesNo, ...ruled(D2) },
  lead_is_qualified: { ...yesNo, ...ruled(D2) },
  date_of_birth: { ...isoDate, ...ruled(OURS, personal) },

  // Checks
  is_gibberish: { ...yesNo, ...server(D1, always) },
  bad_words: { ...yesNo, ...server(D1, { ...always, rule: 'hit_and_run.addition' }) },
  name_gibberish: { ...yesNo, ...server(D2) },
  name_bad_word: { ...yesNo, ...server(D2) },

  // The click
  affid: {
    ...templatedText,
    ...click(D1, { ...always, reserved: [SPECIAL_AFFILIATE_ID], rule: 'routing.special_state' }),
  },
  oid: {
    ...id,
    ...click(D2, { ...always, reserved: [SPECIAL_OFFER_ID], rule: 'routing.special_state' }),
  },
  sub_id: { ...clickValue, ...click(D1, always) },
  sub_id2: { ...clickValue, ...click(D1, always) },
  sub_id3: { ...clickValue, ...click(D1, always) },
  sub_id4: { ...clickValue, ...click(D1, always) },
  click_id: { ...clickValue, ...click(D1, always) },
  ef_transaction_id: { ...clickValue, ...click(D1, always) },
  gclid: { ...clickValue, ...click(D1, always) },
  fbclid: { ...clickValue, ...click(D1, always) },
  // Marks a test lead. The delivery of a test lead adds it again.
  lp_action: { ...text, ...click(D2, { goesOut: 'never' }) },
  // Must not be sent as the lead's source (docs/specification.md#traffic-source).
  traffic_source_pool: { ...folded('google', 'facebook'), ...click(OURS, { goesOut: 'never' }) },
  // The click tracker's fields, for which a strict buyer would refuse the lead.
  uid: { ...text, ...click(OURS, { goesOut: 'never' }) },
  source_id: { ...text, ...click(OURS, { goesOut: 'never' }) },

  // For reports and conversions.
  gbraid: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  wbraid: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  ttclid: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  msclkid: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  li_fat_id: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  twclid: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  rdt_cid: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  utm_source: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  utm_medium: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  utm_campaign: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  utm_term: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },
  utm_content: { ...clickValue, ...click(OURS, { goesOut: 'never' }) },

  // The page
  trusted_form_cert_id: { ...certificateId, ...page(D1, always) },
  leadid_token: { ...templatedText, ...page(D1, always) },
  trustedform_cert_url: { ...certificateAddress, ...page(D2) },
  // Our call-tracking number as displayed, ten digits.
  call_tracking_number: { ...limited(20), ...envelope },
  landing_page: { ...address, ...page(D1, { ...always, rule: 'its origin only' }) },
  page_referer: { ...address, ...page(D1) },
  time_on_steps: { ...longText, ...page(D2) },
  tcpa: { ...longText, ...page(D1, { ...always, rule: 'the fixed statement, one-to-one' }) },
  lead_id: { ...leadId, ...envelope },
  survey: { ...limited(100), ...envelope },
  consent_version: { ...text, ...envelope },
  consent_shown_at: { ...text, ...envelope },
  submitted_at: { ...text, ...envelope },
  // What the page measured of the consent: `seenText` (docs/evidence.md).
  consent_seen: { ...limited(300), ...envelope },
  // If the flow changed during the visit: its version at the start, and the answers of removed steps
  // as JSON by step.
  flow_version: { ...text, ...envelope },
  earlier_answers: { ...longText, ...envelope },
  // How the answers arrived, if not all by the page's script.
  came_by: { ...folded('form', 'form and script'), ...envelope },
  // The visit's initial state, which decides whether the date of birth is asked.
  visitor_state: { ...folded(...(askedFields.state.values ?? [])), ...envelope },

  // The request and the survey's configuration
  ip_address: { ...limited(45), ...server(D1, always) },
  user_agent: { ...limited(1024), ...server(D1, { ...always, posted: 'fallback' }) },
  language: { ...limited(35), ...server(D1, { ...always, posted: 'fallback' }) },
  sms_verified: { ...yesNo, ...server(D1, { ...always, rule: 'no in the three-step form' }) },
  // Only if `sms_verified` is yes.
  sms_verified_at: { ...text, ...server(OURS) },
  debug_id: { ...text, ...server(D1, always) },
  lp_s2: { ...text, ...server(D2, always) },
  lp_subid1: { ...clickValue, ...server(D1, { ...always, ...counts, isCompared: false }) },
  lp_campaign_id: { ...text, ...account },
  lp_supplier_id: { ...text, ...account },
  lp_key: { ...text, ...account },

  // Added by some flows and rules when the lead is sent
  landing_page_url: { ...address, ...ruled(D2) },
  jornaya_leadid: { ...text, ...ruled(D2) },
  original_affid: { ...text, ...ruled(D2) },
  original_oid: { ...text, ...ruled(D2) },
  settlement_offers: { ...text, ...ruled(D2) },
  injuries_sustained: { ...text, ...ruled(D2) },
  case_type: { ...text, ...ruled(D2) },

  // One-to-one consent; its posted fields are among the answers
  '1_to_1_result': { ...text, ...ofBuyers(D2) },
  '1_to_1_timeout': { ...yesNo, ...ofBuyers(D2) },
  '1_to_1_dq': { ...text, ...ofBuyers(D2) },
  selected_buyer_names: { ...longText, ...ofBuyers(D2) },
  selected_buyers_number: { ...wholeNumber, ...ofBuyers(D2) },
  selected_buyers_changed: { ...yesNo, ...ofBuyers(D2) },
  all_possible_buyer_names: { ...longText, ...ofBuyers(D2) },
  all_possible_buyer_ids: { ...longText, ...ofBuyers(D2) },
  all_possible_buyers_number: { ...wholeNumber, ...ofBuyers(D2) },
} as const satisfies Record<string, LeadField>;

export type LeadFieldName = keyof typeof leadFields;

/** All names, in registry order. */
export const leadFieldNames = Object.keys(leadFields) as readonly LeadFieldName[];

export function isLeadField(name: string): name is LeadFieldName {
  return Object.hasOwn(leadFields, name);
}

/** Returns the names of the matching fields. Scans the registry: call it once, at module load. */
export function fieldsWhere(test: (field: LeadField) => boolean): readonly LeadFieldName[] {
  return leadFieldNames.filter((name) => test(leadFields[name]));
}

/** Returns the names of the matching fields as a set. */
export function fieldSetWhere(test: (field: LeadField) => boolean): ReadonlySet<string> {
  return new Set<string>(fieldsWhere(test));
}

const impersonal = new Set<string>(
  fieldsWhere((field) => !field.isPersonal && field.from !== 'buyer_list').filter(isAskedField),
);

/** Returns whether the field is an answer about the case that does not identify the visitor. */
export function isImpersonalAnswer(name: string): name is AskedFieldName {
  return impersonal.has(name);
}

/** Returns whether only a rule may set this value, in any notation of the number. */
export function isReserved(name: LeadFieldName, value: string): boolean {
  const { reserved }: LeadField = leadFields[name];
  return reserved?.includes(String(Number(value.normalize('NFKC')))) ?? false;
}
