/** The registry of lead fields. `fieldsWhere` selects any set of fields from it. */

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

/** The source of a field's value. */
type FieldOrigin =
  | 'visitor' // an answer
  // An answer in some flows, a rule's value in others. The page posts both.
  | 'visitor_or_rule'
  | 'contact_form' // a field of the contact form only
  | 'click' // the landing page's address; also stored with the click
  | 'page' // the page itself: consent shown, certificates, times, addresses
  | 'server' // the request, a check, or the survey's configuration
  | 'rule' // derived from the answers
  | 'buyer_list'; // the buyer list and the choice, in one-to-one surveys only

/** The handling of a field between the browser's post and the buyer. */
type FieldFate = {
  readonly from: FieldOrigin;
  /** Use of a posted value: always, only if the server has no value, or never. */
  readonly posted: 'counts' | 'fallback' | 'ignored';
  /** The server records a difference between the posted value and its own. */
  readonly isCompared: boolean;
  /** When buyers receive the field. `always`: even if it is empty (docs/specification.md#core-fields). */
  readonly goesOut: 'always' | 'where_known' | 'never';
  /** The field identifies the visitor. No third party receives it before the lead is posted. */
  readonly isPersonal?: true;
  /** Values that only a rule may set; ignored if posted. */
  readonly reserved?: readonly string[];
};

/** One field of a lead. All values are strings; lists are joined by a comma. */
type LeadField = FieldShape & FieldFate;

const always = { goesOut: 'always' } as const;
const never = { goesOut: 'never' } as const;
const personal = { isPersonal: true } as const;
const alwaysPersonal = { ...always, ...personal };

/** Returns the handling of a field whose posted value counts. */
const given = (from: FieldOrigin): FieldFate => ({
  from,
  posted: 'counts',
  isCompared: false,
  goesOut: 'where_known',
});
/** Returns the handling of a field that the server sets. The server only compares a posted value. */
const set = (from: FieldOrigin): FieldFate => ({
  from,
  posted: 'ignored',
  isCompared: true,
  goesOut: 'where_known',
});

const click = given('click');
const sentClick = { ...clickValue, ...click, ...always };
/** A click's field that buyers do not receive: a strict buyer would refuse an unknown field. */
const ownClick = { ...click, ...never };
const page = given('page');
/** Fields that the browser posts to our server and buyers do not receive. */
const envelope = { ...page, ...never };
const server = set('server');
/** The billing account. Each delivery adds it; a posted value is ignored. */
const account = { ...server, ...never, isCompared: false };
const place = { ...server, ...always, posted: 'fallback' } as const;
const ruled = set('rule');
const ofBuyers = set('buyer_list');
/** The page posts the displayed buyers, so that the server can walk the same path through the flow. */
const postedBuyers = { ...ofBuyers, posted: 'counts' } as const;
const byRule = { from: 'visitor_or_rule' } as const;
const contactForm = { ...never, ...personal, from: 'contact_form', posted: 'ignored' } as const;

/** Asked fields that differ from the default: a visitor's answer that is sent if known. */
const askedFates: Readonly<Partial<Record<AskedFieldName, Partial<FieldFate>>>> = {
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

/** Returns one row for each name. */
function rows<Name extends string>(
  names: readonly Name[],
  rowOf: (name: Name) => LeadField,
): Record<Name, LeadField> {
  return Object.fromEntries(names.map((name) => [name, rowOf(name)])) as Record<Name, LeadField>;
}

/** All lead fields, by name. Sub ids are truncated only when they are sent to the ingest service. */
export const leadFields = {
  ...rows(Object.keys(askedFields) as AskedFieldName[], (name) => ({
    ...asAsked(name),
    ...given('visitor'),
    ...askedFates[name],
  })),

  // The city and county of the zip code; `state` is among the asked fields
  city: { ...text, ...place },
  state_long: { ...text, ...place },
  county: { ...text, ...place },

  // Derived from the answers
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

  // Checks
  is_gibberish: { ...yesNo, ...server, ...always },
  bad_words: { ...yesNo, ...server, ...always },
  name_gibberish: { ...yesNo, ...server },
  name_bad_word: { ...yesNo, ...server },

  // The click
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
  // Marks a test lead. The delivery adds the mark itself.
  lp_action: { ...text, ...ownClick },
  // Buyers must not receive it as the lead's source (docs/specification.md#traffic-source).
  traffic_source_pool: { ...folded('google', 'facebook'), ...ownClick },
  uid: { ...text, ...ownClick },
  source_id: { ...text, ...ownClick },

  // For our reports and for conversions reported to ad networks
  ...rows([...adClickNames, ...utmNames], () => ({ ...clickValue, ...ownClick })),

  // The page
  trusted_form_cert_id: { ...certificateId, ...page, ...always },
  leadid_token: { ...templatedText, ...page, ...always },
  trustedform_cert_url: { ...certificateAddress, ...page },
  // The displayed call-tracking number, ten digits.
  call_tracking_number: { ...limited(20), ...envelope },
  landing_page: { ...address, ...page, ...always },
  page_referer: { ...address, ...page },
  time_on_steps: { ...longText, ...page },
  tcpa: { ...longText, ...page, ...always },
  lead_id: { ...leadId, ...envelope },
  survey: { ...limited(100), ...envelope },
  consent_version: { ...text, ...envelope },
  consent_shown_at: { ...text, ...envelope },
  submitted_at: { ...text, ...envelope },
  // The measured visibility of the consent text, as `seenText` writes it (docs/evidence.md).
  consent_seen: { ...limited(300), ...envelope },
  // Set if the flow changed during the visit: its version at the start, and the answers of removed
  // steps as JSON by step.
  flow_version: { ...text, ...envelope },
  earlier_answers: { ...longText, ...envelope },
  // Set if the visitor posted forms without JavaScript.
  came_by: { ...folded('form', 'form and script'), ...envelope },
  // The visit's initial state, which decides whether the date of birth is asked.
  visitor_state: { ...folded(...(askedFields.state.values ?? [])), ...envelope },

  // The request and the survey's configuration
  ip_address: { ...limited(45), ...server, ...always },
  user_agent: { ...limited(1024), ...server, ...always, posted: 'fallback' },
  language: { ...limited(35), ...server, ...always, posted: 'fallback' },
  sms_verified: { ...yesNo, ...server, ...always },
  // Set only if `sms_verified` is yes.
  sms_verified_at: { ...text, ...server },
  debug_id: { ...text, ...server, ...always },
  lp_s2: { ...text, ...server, ...always },
  lp_subid1: { ...clickValue, ...server, ...always, posted: 'counts', isCompared: false },
  lp_campaign_id: { ...text, ...account },
  lp_supplier_id: { ...text, ...account },
  lp_key: { ...text, ...account },

  // Added by some flows and rules when the lead is sent
  landing_page_url: { ...address, ...ruled },
  jornaya_leadid: { ...text, ...ruled },
  original_affid: { ...text, ...ruled },
  original_oid: { ...text, ...ruled },
  settlement_offers: { ...text, ...ruled },
  injuries_sustained: { ...text, ...ruled },
  case_type: { ...text, ...ruled },

  // One-to-one consent; the fields that the page posts are among the asked fields
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

/** All names, in registry order. */
export const leadFieldNames = Object.keys(leadFields) as readonly LeadFieldName[];

export function isLeadField(name: string): name is LeadFieldName {
  return Object.hasOwn(leadFields, name);
}

/** Returns the names of the matching fields. Call it once, at module load: it scans all fields. */
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

/** Returns whether only a rule may set this value. Other notations of the same number match, too. */
export function isReserved(name: LeadFieldName, value: string): boolean {
  const { reserved }: LeadField = leadFields[name];
  return reserved?.includes(String(Number(value.normalize('NFKC')))) ?? false;
}
