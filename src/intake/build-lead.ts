/**
 * From a posted body to the lead as it is stored: the same flow and the same rules as in the browser,
 * run again (docs/specification.md#server-decides). Pure, but for the checks given. The stages are
 * the files beside this one; what becomes of each field stands in `domain/lead/lead-fields.ts`.
 */
import type { Answers } from '../domain/answers.ts';
import type { BuyerList } from '../domain/buyers.ts';
import type { ConsentReason } from '../domain/consent.ts';
import { fieldsWhere } from '../domain/lead/lead-fields.ts';
import { clickIdOf } from '../domain/lead/tracking-fields.ts';
import { checkNames } from './check-texts.ts';
import { readConsent } from './consent.ts';
import type { BuildContext } from './context.ts';
import { decide } from './decide.ts';
import type { AcceptedLead, LeadProblem } from './lead-record.ts';
import { outward } from './outward.ts';
import { type Posted, readPlace, readPost, siteOrigin } from './read.ts';
import { route } from './route.ts';
import { type ServiceAnswers, withAnswers } from './service-answers.ts';
import type { SurveyEntry } from './survey-table.ts';
import type { Visitor } from './visitor.ts';
import { walkPost } from './walk.ts';

export type { BuildContext, LeadRules } from './context.ts';

/** What one body (or several, merged) makes of a lead; identity, deliveries and state come later. */
export type BuiltLead = Omit<
  AcceptedLead,
  | ('id' | 'claimsId' | 'secretSha256' | 'secGpc' | 'variants' | 'state' | 'deliveries')
  | ('revision' | 'body' | 'bodySha256' | 'merged' | 'change' | 'rulesVersion' | 'flowVersion')
> & {
  /** Why nobody may be called on the strength of its consent; undefined also where none came. */
  readonly consentHold: ConsentReason | undefined;
};

/** One post, and what came before it. */
export type LeadInput = {
  /** What was posted, merged with earlier posts of the same lead. */
  readonly body: Readonly<Record<string, unknown>>;
  /** What was posted now: the consent of a revision is its own. */
  readonly latest: Readonly<Record<string, unknown>>;
  readonly entry: SurveyEntry | undefined;
  /** The buyers that the visitor was shown; undefined: not a one-to-one survey. */
  readonly buyerList?: BuyerList | undefined;
  /** What services had answered about its values; null or absent: our own checks decide. */
  readonly answers?: ServiceAnswers | null;
  /** When the visit showed a phone number to be its own; not said: it has shown none. */
  readonly verifiedAt?: ((digits: string) => string | undefined) | undefined;
  /** Who posts now. */
  readonly visitor: Visitor;
  /** Whom the lead came from at first: its address and browser stay. */
  readonly origin: Pick<Visitor, 'address' | 'userAgent'>;
  readonly now: Date;
  /** When an earlier post of the same lead brought its consent. */
  readonly consentReceivedAt?: Date | undefined;
};

const clickFields = fieldsWhere((field) => field.from === 'click');

/** Builds the lead of one post. Never throws for any body. */
export function buildLead(input: LeadInput, own: BuildContext): BuiltLead {
  const { body, entry, visitor, origin, buyerList, now, answers = null } = input;
  const context = withAnswers(own, answers);
  const { rules, checks } = context;
  const read = readPost(body, now, context);
  const { posted } = read;
  const located = readPlace(posted, context.lookUpZip);
  const state = located.place.state ?? posted.state;
  const way = walkPost(read, entry, rules);
  const derived = decide(
    way.counted,
    { state: located.place.state, today: read.today },
    entry,
    context,
  );
  const routed = route(posted, derived, state, entry, rules);

  const site = siteOrigin(posted, visitor, rules);
  const language = entry?.survey.language ?? posted.language ?? 'en';
  const consent = readConsent(
    {
      // A text as seen is a text: a list of words could be read as one, and there would be no record.
      text: typeof body.tcpa === 'string' ? posted.tcpa : undefined,
      body,
      latest: input.latest,
      buyerList,
      flow: entry?.survey.flow,
      selectedBuyers: derived.fields.selected_buyers,
      language: entry?.survey.language,
      seenLanguage: posted.language ?? language,
      // As the browser's own header says, else the survey's page.
      page: visitor.page || site + (entry?.survey.path ?? ''),
      visitor,
      now,
      receivedAt: input.consentReceivedAt,
    },
    rules,
  );
  const verifiedAt = input.verifiedAt?.(derived.fields.phone ?? '');
  const { fields, changes, differences } = outward({
    posted,
    derived: derived.fields,
    place: located.place,
    routed: routed.fields,
    own: {
      ...checkNames(checks, derived.fields, routed.leadSource),
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
    isTest: posted.lp_action?.toLowerCase() === 'test',
    qualified: derived.decision.qualified,
    dqReason: derived.decision.dq_reason,
    leadIsQualified: derived.fields.lead_is_qualified === 'yes',
    doNotSendToDq: derived.fields.do_not_send_to_dq === 'yes' ? 'yes' : 'no',
    answers: withEarlier(way.given, posted),
    fields,
    given: answers,
    decisions: [...derived.rules, routed.rule],
    overrides: [...derived.overrides, ...routed.changes, ...changes],
    differences,
    problems,
    emailKey: fields.email ? own.personKey('email', fields.email) : null,
    phoneKey: /^\d{10}$/.test(fields.phone ?? '')
      ? own.personKey('phone', fields.phone ?? '')
      : null,
    ip: origin.address,
    userAgent: origin.userAgent,
    receivedAt: now.toISOString(),
    submittedAt: read.submittedAt?.toISOString() ?? null,
    click: {
      id: '',
      landingPage: posted.landing_page ?? '',
      params: clickParameters(posted),
      referer: posted.page_referer ?? '',
    },
    consent: consent.record,
    consentHold: consent.hold,
  };
}

/** The answers, with those of steps that the flow no longer has under the name that they are posted by. */
function withEarlier(given: Answers, { earlier_answers }: Posted): BuiltLead['answers'] {
  return earlier_answers === undefined ? given : { ...given, earlier_answers };
}

/** Whether a body by itself answers its survey from the first step to the last. */
export function isWholeSurvey(
  body: Readonly<Record<string, unknown>>,
  entry: SurveyEntry | undefined,
  now: Date,
  context: BuildContext,
): boolean {
  return (
    entry !== undefined && walkPost(readPost(body, now, context), entry, context.rules).isWhole
  );
}

/** The id of a built lead's click; needs the lead's own id where the visit brought none. */
export function clickId(lead: Pick<BuiltLead, 'fields'>, leadId: string): string {
  return clickIdOf(lead.fields, leadId);
}

/** What the post says of the click, for one that no progress call has told of. */
function clickParameters(posted: Posted): Record<string, string> {
  const params: Record<string, string> = {};
  for (const name of clickFields) if (posted[name]) params[name] = posted[name];
  return params;
}
