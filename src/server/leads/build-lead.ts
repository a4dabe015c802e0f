/**
 * From a posted body to the lead as it is stored: the same flow and the same rules as in the browser,
 * run again (readings, "Answers and rules": the server's value wins). Pure, but for the checks given.
 */
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { isChosen } from '../../domain/buyer-choice.ts';
import { type BuyerOffer, oneToOneFields } from '../../domain/buyers.ts';
import type { CalendarDate } from '../../domain/dates.ts';
import type { Language } from '../../domain/language.ts';
import { isAskedField } from '../../domain/lead/asked-fields.ts';
import { deriveLead, type FlowRules } from '../../domain/lead/derive.ts';
import { leadFields, parseLeadFields } from '../../domain/lead/lead-fields.ts';
import { submitFields } from '../../domain/lead/submit-rules.ts';
import { specialStatesOf } from '../../domain/special-states.ts';
import { walkFlat } from '../../flows/engine/walk.ts';
import { checkNames, type TextChecks } from './check-texts.ts';
import { consentRecord } from './consent-record.ts';
import type { AcceptedLead, LeadDifference, LeadProblem } from './lead-record.ts';
import type { ZipLookup } from './ports.ts';
import { routeSpecially } from './special-routing.ts';
import type { SurveyEntry } from './survey-table.ts';
import { clickIdOf, trackingFields } from './tracking-fields.ts';
import type { Visitor } from './visitor.ts';

/** Settings that the rules depend on. */
export type LeadRules = {
  readonly descriptionLimit: number;
  readonly dateOfBirthStates: readonly string[];
  readonly partialFaultStates: readonly string[];
  /** In place of what each flow says; undefined: as the flows say. */
  readonly specialStates: readonly string[] | undefined;
  readonly limitation: 'coded' | 'present';
  /** Origin of the site (setting PUBLIC_URL), where it is set. */
  readonly siteOrigin: string | undefined;
  /** What is sent in place of the consent text as seen, for a one-to-one lead. */
  readonly oneToOneStatement: (shown: 'buyers' | 'abbreviated', language: Language) => string;
};

export type BuildContext = {
  readonly rules: LeadRules;
  readonly checks: TextChecks;
  readonly lookUpZip: ZipLookup;
  /** The day that a moment falls on, in the calendar that the rules count in. */
  readonly calendar: (moment: Date) => CalendarDate;
};

/** What one body (or several, merged) makes of a lead; identity, deliveries and state come later. */
export type BuiltLead = Omit<
  AcceptedLead,
  'id' | 'revision' | 'state' | 'body' | 'change' | 'deliveries'
>;

/** Ours on the wire beside the lead's own fields (contract/lead.ts). */
const envelope = new Set([
  'lead_id',
  'survey',
  'consent_version',
  'consent_shown_at',
  'submitted_at',
]);

/**
 * Never passed on: whose account pays and what marks a test are not the visitor's to say, the traffic
 * source pool is never sent as the lead's source (readings, "Answers and rules"), and the click
 * tracker's own ids are no lead fields of the documents: a strict buyer would refuse the lead for them.
 */
const neverOutward = new Set([
  'lp_campaign_id',
  'lp_supplier_id',
  'lp_key',
  'lp_action',
  'traffic_source_pool',
  'uid',
  'source_id',
]);

/** Every lead has these, empty where nothing is known (document 1, section 3, core set). */
const coreFields: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'physical_injury with_Lawyer interested_in_psf settled_case prior_funding at_Fault ' +
    'doctor_treatment enough_words is_gibberish accident_limit_exceeded bad_words injury_year ' +
    'injury_month incident_date case_description email phone first_name last_name city state ' +
    'state_long county zip_code ip_address user_agent trusted_form_cert_id leadid_token ' +
    'ef_transaction_id affid sub_id sub_id2 sub_id3 sub_id4 click_id gclid fbclid landing_page ' +
    'tcpa dq_reason'
  )
    .split(' ')
    .map((name) => [name, '']),
);

/** The rules for a lead whose survey is not known. */
const defaultRules: FlowRules = { forcedTreatment: 'up_to_15_days' };
/** Its lead source and affiliate (document 1, section 9). */
const defaultSource = { offerId: 81, affiliateId: 1 };

/** A post may wait in a browser that is offline; rules count from the button press, within reason. */
const OLDEST_SUBMISSION_MS = 30 * 24 * 60 * 60 * 1000;
const CLOCK_SKEW_MS = 24 * 60 * 60 * 1000;

/** One post, and what came before it. */
export type LeadInput = {
  /** What was posted, merged with earlier posts of the same lead. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What was posted now: the consent of a revision is its own. */
  readonly latest: Readonly<Record<string, unknown>>;
  readonly entry: SurveyEntry | undefined;
  /** The buyers that the visitor was offered; undefined: not a one-to-one survey. */
  readonly offer?: BuyerOffer | undefined;
  /** Who posts now. */
  readonly visitor: Visitor;
  /** Whom the lead came from at first: its address and browser stay. */
  readonly origin: Pick<Visitor, 'address' | 'userAgent'>;
  readonly now: Date;
};

/** Builds the lead of one post. Never throws for any body. */
export function buildLead(input: LeadInput, context: BuildContext): BuiltLead {
  const { body, entry, visitor, origin, now } = input;
  const { rules, checks } = context;
  const siteOrigin = rules.siteOrigin ?? visitor.siteOrigin;
  const problems: LeadProblem[] = [];
  if (!entry) problems.push({ problem: 'unknown_survey', field: 'survey', value: body.survey });

  const submittedAt = submissionTime(body.submitted_at, now, problems);
  const today = context.calendar(submittedAt ?? now);
  const posted = readBody(body, today, rules, problems);
  const place = lookUpPlace(posted, context.lookUpZip, problems);
  const answered = askedAnswers(posted);
  const way = onTheWay(answered, posted, entry, today, rules, problems);

  const answers = { ...way.answers, ...(place.state ? { state: place.state } : {}) } as Answers;
  const description = answers.case_description;
  const derived = deriveLead({
    answers,
    today,
    rules: entry?.flow.rules ?? defaultRules,
    settings: rules,
    checks: description === undefined ? {} : checks.ofDescription(description),
  });

  const tracking = trackingFields(posted, entry?.survey ?? defaultSource);
  const { offer } = input;
  const selected = answers.selected_buyers;
  const statement =
    offer && posted.tcpa
      ? rules.oneToOneStatement(
          offer.consent === 'yes' ? 'buyers' : 'abbreviated',
          entry?.survey.language ?? 'en',
        )
      : undefined;
  const consent = consentRecord(
    input.latest,
    pageAddress(posted, visitor, entry, siteOrigin),
    posted.language ?? entry?.survey.language ?? 'en',
    visitor,
    offer && {
      sentText: statement ?? null,
      buyers: offer.displayed.map((buyer) => ({ ...buyer, chosen: isChosen(buyer, selected) })),
    },
  );
  if (!posted.tcpa) problems.push({ problem: 'missing_consent', field: 'tcpa' });

  const language = entry?.survey.language ?? posted.language ?? 'en';
  const outward: Record<string, string> = { ...coreFields };
  for (const [name, value] of Object.entries(posted)) {
    if (neverOutward.has(name) || computedFields.has(name) || way.left.has(name)) continue;
    outward[name] = value;
  }
  const ruled = Object.entries(derived.fields).filter(([name]) => !oneToOneNames.has(name));
  Object.assign(outward, Object.fromEntries(ruled), place, tracking, {
    ...checkNames(checks, outward, tracking.oid ?? ''),
    debug_id: String(body.lead_id ?? '').toLowerCase(),
    language,
    sms_verified: 'no',
    ...(offer && oneToOneFields(offer, selected)),
    tcpa: statement ?? posted.tcpa ?? '',
    landing_page: originOf(posted.landing_page) ?? siteOrigin,
    ip_address: origin.address,
    user_agent: origin.userAgent || (posted.user_agent ?? ''),
  });
  const submit = entry?.flow.submit;
  const routed = routeSpecially(outward, {
    qualified: derived.decision.qualified,
    specialStates: specialStatesOf(submit?.specialStates, rules.specialStates),
  });
  const sent = submitFields(routed.fields, submit?.fields);
  const { fields } = sent;

  return {
    survey: entry?.survey.path ?? String(posted.survey ?? '').slice(0, 200),
    flow: entry?.flow.id ?? '',
    language,
    isTest: posted.lp_action?.toLowerCase() === 'test',
    qualified: derived.decision.qualified,
    dqReason: derived.decision.dq_reason,
    leadIsQualified: routed.fields.lead_is_qualified === 'yes',
    doNotSendToDq: routed.fields.do_not_send_to_dq === 'yes' ? 'yes' : 'no',
    answers: answered,
    fields,
    decisions: [...derived.rules, routed.rule],
    overrides: [...derived.overrides, ...routed.overrides, ...sent.changes],
    differences: differences(posted, routed.fields),
    problems,
    emailKey: fields.email ? fields.email.toLowerCase() : null,
    phoneKey: fields.phone && /^\d{10}$/.test(fields.phone) ? fields.phone : null,
    ip: origin.address,
    userAgent: origin.userAgent,
    receivedAt: now.toISOString(),
    submittedAt: submittedAt?.toISOString() ?? null,
    click: {
      id: '',
      landingPage: posted.landing_page ?? '',
      params: clickParameters(posted),
      referer: posted.page_referer ?? '',
      secGpc: visitor.secGpc,
    },
    consent,
  };
}

/** The id of a built lead's click; needs the lead's own id where the visit brought none. */
export function clickId(lead: Pick<BuiltLead, 'fields'>, leadId: string): string {
  return clickIdOf(lead.fields, leadId);
}

function submissionTime(value: unknown, now: Date, problems: LeadProblem[]): Date | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const ageMs = now.getTime() - new Date(value).getTime();
  if (ageMs >= -CLOCK_SKEW_MS && ageMs <= OLDEST_SUBMISSION_MS) return new Date(value);
  problems.push({ problem: 'unlikely_time', field: 'submitted_at', value });
  return undefined;
}

/** The lead fields of a body, normalised; what cannot be used is recorded. */
function readBody(
  body: Readonly<Record<string, unknown>>,
  today: CalendarDate,
  rules: LeadRules,
  problems: LeadProblem[],
): Readonly<Record<string, string>> {
  const parsed = parseLeadFields(body, { today, descriptionLimit: rules.descriptionLimit });
  for (const { field, error, value } of parsed.problems) {
    problems.push({ problem: 'bad_value', field, reason: error, value });
  }
  for (const [field, value] of Object.entries(parsed.unknown)) {
    if (!envelope.has(field)) problems.push({ problem: 'unknown_field', field, value });
  }
  return parsed.fields as Record<string, string>;
}

/** City, states and county of the zip code: our own look-up's where it knows it, else as posted. */
function lookUpPlace(
  posted: Readonly<Record<string, string>>,
  lookUpZip: ZipLookup,
  problems: LeadProblem[],
): Record<string, string> {
  const { zip_code } = posted;
  if (zip_code === undefined) return {};
  const { city, state, state_long, county } = lookUpZip(zip_code);
  if (city && state && state_long && county) return { city, state, state_long, county };
  problems.push({
    problem: 'bad_value',
    field: 'zip_code',
    reason: 'unknown_zip',
    value: zip_code,
  });
  return Object.fromEntries(
    (['city', 'state', 'state_long', 'county'] as const).flatMap((name) =>
      posted[name] === undefined ? [] : [[name, posted[name]]],
    ),
  );
}

/** The visitor's answers; `state` is one only where a flow asks for it, else it comes from the zip. */
function askedAnswers(posted: Readonly<Record<string, string>>): Answers {
  const answers: Partial<Record<AskedFieldName, string>> = {};
  for (const [name, value] of Object.entries(posted)) {
    if (isAskedField(name) && name !== 'state') answers[name] = value;
  }
  return answers;
}

function walkPosted(
  answered: Answers,
  posted: Readonly<Record<string, string>>,
  entry: SurveyEntry,
  today: CalendarDate,
  { dateOfBirthStates }: LeadRules,
) {
  const withState = posted.state === undefined ? answered : { ...answered, state: posted.state };
  return walkFlat(entry.flow, withState, {
    today,
    survey: entry.facts,
    settings: { dateOfBirthStates },
  });
}

/** Whether a body by itself answers its survey from the first step to the last. */
export function isWholeSurvey(
  body: Readonly<Record<string, unknown>>,
  entry: SurveyEntry | undefined,
  now: Date,
  { calendar, rules }: BuildContext,
): boolean {
  if (!entry) return false;
  const today = calendar(submissionTime(body.submitted_at, now, []) ?? now);
  const posted = readBody(body, today, rules, []);
  return walkPosted(askedAnswers(posted), posted, entry, today, rules).complete;
}

/**
 * The answers that count: those of the steps on the way. Where the way has a gap, all that were given
 * count, since nothing is known about what is beyond it.
 */
function onTheWay(
  answered: Answers,
  posted: Readonly<Record<string, string>>,
  entry: SurveyEntry | undefined,
  today: CalendarDate,
  rules: LeadRules,
  problems: LeadProblem[],
): { answers: Answers; left: ReadonlySet<string> } {
  if (!entry) return { answers: answered, left: new Set() };
  const way = walkPosted(answered, posted, entry, today, rules);
  if (!way.complete) {
    problems.push({ problem: 'incomplete', reason: way.current });
    return { answers: answered, left: new Set() };
  }
  const left = new Set<string>();
  for (const field of way.unreached) {
    if (field === 'state' || !Object.hasOwn(answered, field)) continue;
    // What the rules set themselves is posted along by the browser, and is no answer.
    if (ruleFields.has(field)) continue;
    left.add(field);
    problems.push({ problem: 'unreached_field', field, value: answered[field] });
  }
  return { answers: way.answers, left };
}

/** Asked in some flow, set by a rule in others. */
const ruleFields: ReadonlySet<string> = new Set<AskedFieldName>([
  'lawyer_redirect_reason',
  'when_seek_medical_treatment',
  'when_seek_medical_treatment_date',
  'injury_day',
  'doctor_treatment',
  'physical_injury',
]);

/** The fields of one-to-one consent: made of the offer, and in no other survey's lead. */
const oneToOneNames: ReadonlySet<string> = new Set([
  ...Object.entries(leadFields)
    .filter(([, { group }]) => group === 'one_to_one')
    .map(([name]) => name),
  'displayed_buyer_ids',
]);

/** What the server adds at submit where a flow or a rule says so: not the visitor's to say. */
const addedAtSubmit = [
  'debug_id',
  'lp_s2',
  'landing_page_url',
  'jornaya_leadid',
  'original_oid',
  'original_affid',
  'case_type',
  'injuries_sustained',
  'settlement_offers',
];

/** Fields of which the server's value is the only one. */
const computedFields: ReadonlySet<string> = new Set([
  ...oneToOneNames,
  ...Object.entries(leadFields)
    .filter(([, { group }]) => group === 'derived' || group === 'check')
    .map(([name]) => name),
  ...envelope,
  ...ruleFields,
  ...addedAtSubmit,
]);

/** Fields that the browser computes, too: where it comes to something else, that is recorded. */
const comparedFields: ReadonlySet<string> = new Set([
  ...[...computedFields].filter((name) => !envelope.has(name) && !isAskedField(name)),
  'city',
  'state',
  'state_long',
  'county',
  '1_to_1_consent',
  'displayed_buyers',
  'selected_buyers',
  'language',
  'ip_address',
  'user_agent',
]);

function differences(
  posted: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
): LeadDifference[] {
  const found: LeadDifference[] = [];
  for (const field of comparedFields) {
    const browser = posted[field];
    if (browser === undefined) continue;
    const server = fields[field] ?? '';
    if (browser.toLowerCase() !== server.toLowerCase()) found.push({ field, browser, server });
  }
  return found;
}

function originOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { origin, protocol } = new URL(address);
  return /^https?:$/.test(protocol) ? origin : undefined;
}

/** The page that showed the consent: as the browser's own header says, else the survey's page. */
function pageAddress(
  posted: Readonly<Record<string, string>>,
  visitor: Visitor,
  entry: SurveyEntry | undefined,
  siteOrigin: string,
): string {
  if (visitor.page !== '') return visitor.page;
  return (originOf(posted.landing_page) ?? siteOrigin) + (entry?.survey.path ?? '');
}

const clickParameterNames = [
  'sub_id',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'click_id',
  'oid',
  'affid',
  'uid',
  'source_id',
  'ef_transaction_id',
  'gclid',
  'fbclid',
  'traffic_source_pool',
];

/** The tracking fields of the post, for a click that no progress call has told of. */
function clickParameters(posted: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    clickParameterNames.flatMap((name) => (posted[name] ? [[name, posted[name]]] : [])),
  );
}
