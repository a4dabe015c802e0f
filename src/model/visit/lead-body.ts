import type { Answers } from '../fields/answers.ts';
import type { Flow } from '../flows/engine/flow.ts';
import type { StepAnswers } from '../flows/engine/walk.ts';
import type { Survey } from '../flows/surveys.ts';
import type { ZipAnswer } from '../messages/checks.ts';
import type { PostLeadBody } from '../messages/lead.ts';
import type { Derivation } from '../rules/derive-fields.ts';
import type { GivenAuthorization } from '../rules/health-authorization.ts';
import { affiliateOf, type Visit } from './visit.ts';

type LeadParts = {
  readonly survey: Survey;
  readonly visit: Visit;
  readonly answers: Answers;
  readonly earlier: StepAnswers;
  readonly derived: Derivation['derived'];
  readonly place: ZipAnswer | undefined;
  readonly consent: { readonly text: string; readonly version: string };
  readonly userAgent: string;
  readonly submittedAt: string;
  readonly consentSeen?: string | undefined;
  readonly authorization?: GivenAuthorization | undefined;
};

/** Returns the answers to steps that were removed from the flow. */
export function earlierAnswers({ steps }: Pick<Flow, 'steps'>, given: StepAnswers): StepAnswers {
  return Object.fromEntries(Object.entries(given).filter(([step]) => !Object.hasOwn(steps, step)));
}

/** Returns the body for posting a lead. */
export function leadBody(parts: LeadParts): PostLeadBody {
  const { survey, visit, answers, earlier, derived, place, consent } = parts;
  const { session, tracking } = visit;
  const { uid, source_id, ...sent } = tracking;
  const fields: Record<string, string> = {
    ...derived,
    ...answers,
    ...(place && {
      city: place.city,
      state: place.state,
      state_long: place.state_long,
      county: place.county,
    }),
    ...sent,
    ...visit.collected,
    oid: tracking.oid ?? String(survey.offerId),
    affid: affiliateOf(survey, visit),
    user_agent: parts.userAgent,
    time_on_steps: visit.timeOnSteps,
    visitor_state: visit.state ?? '',
    came_by: visit.cameBy ?? '',
    flow_version: visit.flowVersion ?? '',
    consent_seen: parts.consentSeen ?? '',
    ...parts.authorization,
    earlier_answers: Object.keys(earlier).length > 0 ? JSON.stringify(earlier) : '',
  };
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  return {
    ...filled,
    lead_id: session.lead_id,
    survey: survey.path,
    language: survey.language,
    tcpa: consent.text,
    consent_version: consent.version,
    consent_shown_at: visit.consentShownAt,
    submitted_at: parts.submittedAt,
    landing_page: session.landing_page,
    page_referer: session.referer,
  };
}
