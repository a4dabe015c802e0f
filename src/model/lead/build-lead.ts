import type { SurveyEntry } from '../flows/survey-table.ts';
import { type BuyerList, chosenBuyers } from '../rules/buyers.ts';
import { judgeAuthorization } from './authorization.ts';
import { callTimes } from './call-times.ts';
import { type ConsentReason, readConsent } from './consent.ts';
import { type BuildContext, type ServiceAnswers, type Visitor, withAnswers } from './context.ts';
import { deriveLead, routeLead } from './decide.ts';
import type { AcceptedLead, LeadProblem } from './lead-record.ts';
import { outward } from './outward.ts';
import {
  clickParameters,
  type ReadPost,
  readPlace,
  readPost,
  siteOrigin,
  walkPost,
} from './read.ts';
import { ruleOnSale } from './sale.ts';

/** A lead before the caller adds ids, state and deliveries. */
export type BuiltLead = Omit<
  AcceptedLead,
  | ('id' | 'claimsId' | 'secretSha256' | 'secGpc' | 'variants' | 'state' | 'deliveries')
  | ('revision' | 'body' | 'bodySha256' | 'merged' | 'change' | 'rulesVersion' | 'flowVersion')
> & {
  /** The reason why the consent is invalid. Undefined for a valid consent. */
  readonly consentHold: ConsentReason | undefined;
};

/** The inputs from which a lead is built. */
export type LeadInput = {
  /** The body, merged with the earlier posts of the lead. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body of the newest post, without the earlier posts. */
  readonly latest: Readonly<Record<string, unknown>>;
  readonly entry: SurveyEntry | undefined;
  readonly buyerList?: BuyerList | undefined;
  /** The stored answers of check services. Null means: use no service. */
  readonly answers?: ServiceAnswers | null;
  /** Returns the time at which an SMS code confirmed the phone number. */
  readonly verifiedAt?: ((digits: string) => string | undefined) | undefined;
  readonly visitor: Visitor;
  /** The IP address and the browser of the lead's first post. */
  readonly origin: Pick<Visitor, 'address' | 'userAgent'>;
  readonly now: Date;
  /** The time of the earlier post with the lead's consent. */
  readonly consentReceivedAt?: Date | undefined;
};

/** Builds the lead of a survey (docs/specification.md#server-decides). Never throws. */
export function buildLead(input: LeadInput, own: BuildContext): BuiltLead {
  const { body, entry, visitor, origin, buyerList, now, answers = null } = input;
  const context = withAnswers(own, answers);
  const { rules, checks } = context;
  const read = readPost(body, now, context, entry);
  const { posted } = read;
  const located = readPlace(posted, context.checkZip);
  const { state } = located.place;
  const way = walkPost(read, entry, rules);
  const description = way.usedAnswers.case_description;
  const derived = deriveLead({
    answers: state ? { ...way.usedAnswers, state } : way.usedAnswers,
    today: read.today,
    rules: entry?.flow.rules ?? {},
    settings: rules,
    checks: description === undefined ? {} : checks.ofDescription(description),
  });
  const routed = routeLead(posted, derived, state ?? posted.state, entry, rules);

  const site = siteOrigin(posted, visitor, rules);
  const language = entry?.survey.language ?? posted.language ?? 'en';
  const consent = readConsent(
    {
      // Ignores a consent text in an array, because a consent record stores a single text.
      text: typeof body.tcpa === 'string' ? posted.tcpa : undefined,
      body,
      latest: input.latest,
      buyerList,
      flow: entry?.survey.flow,
      selectedBuyers: derived.fields.selected_buyers,
      language: entry?.survey.language,
      seenLanguage: posted.language ?? language,
      page: visitor.page || site + (entry?.survey.path ?? ''),
      visitor,
      now,
      receivedAt: input.consentReceivedAt,
    },
    rules,
  );
  const day = context.calendar(now);
  const { first_name, last_name } = derived.fields;
  const names = [first_name, last_name].filter((name) => name !== undefined);
  const verifiedAt = input.verifiedAt?.(derived.fields.phone ?? '');
  const { fields, changes, differences } = outward({
    posted,
    derived: derived.fields,
    place: located.place,
    routed: routed.fields,
    own: {
      ...(names.length > 0 && checks.ofNames(names, routed.leadSource)),
      ...callTimes(context.zipZone(posted.zip_code ?? ''), state, day),
      debug_id: String(body.lead_id ?? '').toLowerCase(),
      language,
      sms_verified: verifiedAt === undefined ? 'no' : 'yes',
      ...(verifiedAt !== undefined && { sms_verified_at: verifiedAt }),
      tcpa: consent.sent,
      landing_page: site,
      ip_address: origin.address,
      user_agent: origin.userAgent || (posted.user_agent ?? ''),
    },
    buyerList,
    removesLawyerReason: entry?.survey.removesLawyerReason ?? false,
    submit: entry?.flow.submit?.fields,
  });

  const { selected_buyers } = derived.fields;
  const known = { state: state ?? posted.state, selected_buyers };
  const states = [known.state ?? posted.visitor_state, posted.state_accident_occurred];
  const hasChosenFirm =
    buyerList?.consent === 'yes' && chosenBuyers(buyerList, selected_buyers).length > 0;
  const sale = ruleOnSale({ states, hasChosenFirm, day }, rules.stateRules);
  const authorization = judgeAuthorization(read, known, buyerList, entry, rules.authorization);
  const problems: LeadProblem[] = [...read.problems, ...located.problems, ...way.problems];
  if (!entry) problems.unshift({ problem: 'unknown_survey', field: 'survey', value: body.survey });
  if (posted.flow_version && entry && posted.flow_version !== entry.flowVersion) {
    problems.push({ problem: 'other_flow', field: 'flow_version', value: posted.flow_version });
  }
  if (!consent.sent) problems.push({ problem: 'missing_consent', field: 'tcpa' });

  return {
    survey: entry?.survey.path ?? String(posted.survey ?? '').slice(0, 200),
    flow: entry?.flow.id ?? '',
    language,
    qualified: derived.decision.qualified,
    dqReason: derived.decision.dq_reason,
    leadIsQualified: derived.fields.lead_is_qualified === 'yes',
    doNotSendToDq: derived.fields.do_not_send_to_dq === 'yes' ? 'yes' : 'no',
    fields,
    given: answers,
    decisions: [...derived.rules, routed.rule, sale, ...authorization],
    overrides: [...derived.overrides, ...routed.changes, ...changes],
    differences,
    problems,
    ...commonParts(input, read, fields, own),
    consent: consent.record,
    consentHold: consent.hold,
  };
}

/** Returns the parts that all leads have in common. */
export function commonParts(
  { visitor, origin, now }: Pick<LeadInput, 'visitor' | 'origin' | 'now'>,
  { posted, submittedAt }: Pick<ReadPost, 'posted' | 'submittedAt'>,
  { email = '', phone = '' }: Readonly<Record<string, string>>,
  { personKey }: Pick<BuildContext, 'personKey'>,
) {
  return {
    isTest: posted.lp_action?.toLowerCase() === 'test',
    emailKey: email === '' ? null : personKey('email', email),
    phoneKey: /^\d{10}$/.test(phone) ? personKey('phone', phone) : null,
    ip: origin.address,
    userAgent: origin.userAgent,
    receivedAt: now.toISOString(),
    submittedAt: submittedAt?.toISOString() ?? null,
    click: {
      id: '',
      landingPage: posted.landing_page ?? '',
      params: clickParameters(posted, visitor),
      referer: posted.page_referer ?? '',
    },
  };
}

/** Returns whether a body answers every step of its survey. */
export function isWholeSurvey(
  body: Readonly<Record<string, unknown>>,
  entry: SurveyEntry | undefined,
  now: Date,
  context: BuildContext,
): boolean {
  return (
    entry !== undefined &&
    walkPost(readPost(body, now, context, entry), entry, context.rules).isWhole
  );
}
