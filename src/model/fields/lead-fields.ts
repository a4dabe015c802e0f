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
import { SPECIAL_AFFILIATE_ID, SPECIAL_OFFER_ID } from './thresholds.ts';
import { adClickNames, utmNames } from './tracking.ts';

/** The fields with the person's hours for calls (docs/specification.md#fields-of-our-own). */
export const callTimeNames = [
  'may_call_from',
  'may_call_until',
  'may_call_time_zone',
  'may_call_on_sunday',
] as const;

type FieldOrigin =
  | 'visitor' // an answer
  | 'visitor_or_rule' // an answer in some flows, set by a rule in the others
  | 'contact_form' // a field of the contact form only
  | 'click' // a query parameter of the landing page; also stored with the click
  | 'page' // set by the page: consent text, certificates, times, URLs
  | 'server' // the request, a check, or the survey's configuration
  | 'rule' // derived from the answers
  | 'buyer_list'; // the buyer list or the visitor's choice of buyers, in one-to-one surveys only

type FieldHandling = {
  readonly from: FieldOrigin;
  /** How the server uses a posted value. `fallback` means: only if the server has no value. */
  readonly posted: 'used' | 'fallback' | 'ignored';
  /** True if the server reports a difference between the posted value and the server's value. */
  readonly isCompared: boolean;
  /** When buyers receive the field. `if_known` means: if the field is not empty. */
  readonly goesOut: 'always' | 'if_known' | 'never';
  /** True if the field identifies the visitor. */
  readonly isPersonal?: true;
  /** The values that only a rule may set. */
  readonly reserved?: readonly string[];
};

/** A field of a lead. All values are strings. */
type LeadField = FieldShape & FieldHandling;

const always = { goesOut: 'always' } as const;
const never = { goesOut: 'never' } as const;
const personal = { isPersonal: true } as const;
const alwaysPersonal = { ...always, ...personal };

const given = (from: FieldOrigin): FieldHandling => ({
  from,
  posted: 'used',
  isCompared: false,
  goesOut: 'if_known',
});
const set = (from: FieldOrigin): FieldHandling => ({
  from,
  posted: 'ignored',
  isCompared: true,
  goesOut: 'if_known',
});

const click = given('click');
const sentClick = { ...clickValue, ...click, ...always };
/** Buyers do not receive these click parameters, because some buyers refuse unknown fields. */
const unsentClick = { ...click, ...never };
const page = given('page');
const serverOnly = { ...page, ...never };
const server = set('server');
/** Fields of our account at the ingest service. */
const account = { ...server, ...never, isCompared: false };
const place = { ...server, ...always, posted: 'fallback' } as const;
const ruled = set('rule');
const ofBuyers = set('buyer_list');
/** Fields about the buyers that the page displayed. */
const postedBuyers = { ...ofBuyers, posted: 'used' } as const;
const byRule = { from: 'visitor_or_rule' } as const;
const contactForm = { ...never, ...personal, from: 'contact_form', posted: 'ignored' } as const;

/** The asked fields that are not handled in the usual way. */
const askedHandling: Readonly<Partial<Record<AskedFieldName, Partial<FieldHandling>>>> = {
  injury_month: always,
  injury_year: always,
  injury_day: byRule,
  at_Fault: always,
  physical_injury: { ...always, ...byRule },
  doctor_treatment: { ...always, ...byRule },
  when_seek_medical_treatment: byRule,
  when_seek_medical_treatment_date: byRule,
  with_Lawyer: always,
  lawyer_redirect_reason: byRule,
  interested_in_psf: always,
  settled_case: always,
  prior_funding: always,
  law_firm_name: personal,
  law_firm_phone: personal,
  case_description: always,
  first_name: alwaysPersonal,
  last_name: alwaysPersonal,
  email: alwaysPersonal,
  phone: alwaysPersonal,
  zip_code: always,
  state: place,
  state_choice: never,
  address: personal,
  date_of_birth_month: personal,
  date_of_birth_day: personal,
  date_of_birth_year: personal,
  '1_to_1_consent': postedBuyers,
  displayed_buyers: postedBuyers,
  displayed_buyer_ids: { ...postedBuyers, ...never, isCompared: false },
  selected_buyers: postedBuyers,
  typeOfAccident: contactForm,
  firstName: contactForm,
  lastName: contactForm,
  phoneNumber: contactForm,
  message: contactForm,
};

function rows<Name extends string>(
  names: readonly Name[],
  rowOf: (name: Name) => LeadField,
): Record<Name, LeadField> {
  return Object.fromEntries(names.map((name) => [name, rowOf(name)])) as Record<Name, LeadField>;
}

export const leadFields = {
  ...rows(Object.keys(askedFields) as AskedFieldName[], (name) => ({
    ...asAsked(name),
    ...given('visitor'),
    ...askedHandling[name],
  })),

  city: { ...text, ...place },
  state_long: { ...text, ...place },
  county: { ...text, ...place },

  enough_words: { ...yesNo, ...ruled, ...always },
  accident_limit_exceeded: { ...zeroOne, ...ruled, ...always },
  incident_date: { ...isoDate, ...ruled, ...always },
  dq_reason: { ...text, ...ruled, ...always },
  days_from_incident_date: { ...wholeNumber, ...ruled },
  months_from_incident_date: { ...wholeNumber, ...ruled },
  accident_within_last_year: { ...yesNo, ...ruled },
  injury_rx_qualified: { ...yesNo, ...ruled },
  do_not_send_to_dq: { ...yesNo, ...ruled },
  lead_is_qualified: { ...yesNo, ...ruled },
  date_of_birth: { ...isoDate, ...ruled, ...personal },

  is_gibberish: { ...yesNo, ...server, ...always },
  bad_words: { ...yesNo, ...server, ...always },
  name_gibberish: { ...yesNo, ...server },
  name_bad_word: { ...yesNo, ...server },

  affid: { ...templatedText, ...click, ...always, reserved: [SPECIAL_AFFILIATE_ID] },
  oid: { ...id, ...click, ...always, reserved: [SPECIAL_OFFER_ID] },
  sub_id: sentClick,
  sub_id2: sentClick,
  sub_id3: sentClick,
  sub_id4: sentClick,
  click_id: sentClick,
  ef_transaction_id: sentClick,
  gclid: sentClick,
  fbclid: sentClick,
  // The value `test` marks a test lead.
  lp_action: { ...text, ...unsentClick },
  // Buyers must not learn the traffic source (docs/specification.md#traffic-source).
  traffic_source_pool: { ...folded('google', 'facebook'), ...unsentClick },
  uid: { ...text, ...unsentClick },
  source_id: { ...text, ...unsentClick },

  ...rows([...adClickNames, ...utmNames], () => ({ ...clickValue, ...unsentClick })),

  trusted_form_cert_id: { ...certificateId, ...page, ...always },
  leadid_token: { ...templatedText, ...page, ...always },
  trustedform_cert_url: { ...certificateAddress, ...page },
  call_tracking_number: { ...limited(20), ...serverOnly },
  landing_page: { ...address, ...page, ...always },
  page_referer: { ...address, ...page },
  time_on_steps: { ...longText, ...page },
  tcpa: { ...longText, ...page, ...always },
  lead_id: { ...leadId, ...serverOnly },
  survey: { ...limited(100), ...serverOnly },
  consent_version: { ...text, ...serverOnly },
  consent_shown_at: { ...text, ...serverOnly },
  submitted_at: { ...text, ...serverOnly },
  // Describes, as JSON, how the visitor saw the consent text (`readSeen`, docs/evidence.md).
  consent_seen: { ...limited(1000), ...serverOnly },
  // Posted only by visitors in Washington (docs/specification.md#health-authorization).
  health_authorization: { ...yesNo, ...serverOnly },
  health_authorization_text: { ...longText, ...serverOnly },
  // The browser posts this field only if the flow changed during the visit.
  flow_version: { ...text, ...serverOnly },
  earlier_answers: { ...longText, ...serverOnly },
  // Set only if the visitor posted forms without JavaScript.
  came_by: { ...folded('form', 'form and script'), ...serverOnly },
  visitor_state: { ...folded(...(askedFields.state.values ?? [])), ...serverOnly },

  ip_address: { ...limited(45), ...server, ...always },
  user_agent: { ...limited(1024), ...server, ...always, posted: 'fallback' },
  language: { ...limited(35), ...server, ...always, posted: 'fallback' },
  sms_verified: { ...yesNo, ...server, ...always },
  sms_verified_at: { ...text, ...server },
  ...rows(callTimeNames, () => ({ ...text, ...server })),
  debug_id: { ...text, ...server, ...always },
  lp_s2: { ...text, ...server, ...always },
  lp_subid1: { ...clickValue, ...server, ...always, posted: 'used', isCompared: false },
  lp_campaign_id: { ...text, ...account },
  lp_supplier_id: { ...text, ...account },
  lp_key: { ...text, ...account },

  landing_page_url: { ...address, ...ruled },
  jornaya_leadid: { ...text, ...ruled },
  original_affid: { ...text, ...ruled },
  original_oid: { ...text, ...ruled },
  settlement_offers: { ...text, ...ruled },
  injuries_sustained: { ...text, ...ruled },
  case_type: { ...text, ...ruled },

  '1_to_1_result': { ...text, ...ofBuyers },
  '1_to_1_timeout': { ...yesNo, ...ofBuyers },
  '1_to_1_dq': { ...text, ...ofBuyers },
  selected_buyer_names: { ...longText, ...ofBuyers },
  selected_buyers_number: { ...wholeNumber, ...ofBuyers },
  selected_buyers_changed: { ...yesNo, ...ofBuyers },
  all_possible_buyer_names: { ...longText, ...ofBuyers },
  all_possible_buyer_ids: { ...longText, ...ofBuyers },
  all_possible_buyers_number: { ...wholeNumber, ...ofBuyers },
} as const satisfies Record<string, LeadField>;

export type LeadFieldName = keyof typeof leadFields;

export const leadFieldNames = Object.keys(leadFields) as readonly LeadFieldName[];

export function isLeadField(name: string): name is LeadFieldName {
  return Object.hasOwn(leadFields, name);
}

/** Returns the names of fields that pass the test. Call this slow function only at module load. */
export function fieldsWhere(test: (field: LeadField) => boolean): readonly LeadFieldName[] {
  return leadFieldNames.filter((name) => test(leadFields[name]));
}

export function fieldSetWhere(test: (field: LeadField) => boolean): ReadonlySet<string> {
  return new Set<string>(fieldsWhere(test));
}

const impersonal = new Set<string>(
  fieldsWhere((field) => !field.isPersonal && field.from !== 'buyer_list').filter(isAskedField),
);

/** Returns whether the field is an answer that cannot identify the visitor. */
export function isImpersonalAnswer(name: string): name is AskedFieldName {
  return impersonal.has(name);
}

/** Returns whether only a rule may set this value. */
export function isReserved(name: LeadFieldName, value: string): boolean {
  const { reserved }: LeadField = leadFields[name];
  return reserved?.includes(String(Number(value.normalize('NFKC')))) ?? false;
}
