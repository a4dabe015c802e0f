import type { PageSettings } from '../contract/site-settings.ts';
import type { Answers } from '../domain/answers.ts';
import { isYes } from '../domain/answers.ts';
import type { PartnerTabRules, ThankYouRules } from '../domain/submit-rules.ts';
import type { ThankYouOptions } from '../domain/thank-you.ts';
import type { Tracking } from '../domain/tracking.ts';
import type { Survey } from '../flows/surveys.ts';

/** The properties of a sent lead that decide what its visitor sees next. */
export type SentLead = {
  readonly qualified: boolean;
  /** The answers after the overriding rules. */
  readonly answers: Readonly<Record<string, string>>;
  readonly affid: string;
};

/**
 * Returns whether the partner page opens: for a disqualified visitor, if the survey has one and its flow
 * makes no exception (docs/specification.md#partner-tab). `partnerHref` applies the closed states.
 */
export function opensPartnerTab(
  survey: Pick<Survey, 'opensPartnerTab'>,
  { onlyReasons, exceptAffiliates, exceptWhenYes }: PartnerTabRules = {},
  { qualified, answers, affid }: SentLead,
): boolean {
  if (qualified || !survey.opensPartnerTab) return false;
  if (onlyReasons && !onlyReasons.includes(answers.lawyer_redirect_reason ?? '')) return false;
  if (exceptAffiliates?.includes(affid)) return false;
  return exceptWhenYes === undefined || !isYes((answers as Answers)[exceptWhenYes]);
}

/**
 * Returns the partner page's address with transaction id, affid and sub_id (docs/specification.md#partner-tab).
 * Undefined without a partner, and in the closed states. An unknown state closes nothing.
 */
export function partnerHref(
  {
    partnerUrl,
    partnerClosedStates = [],
  }: Pick<PageSettings, 'partnerUrl' | 'partnerClosedStates'>,
  { answers, affid }: Pick<SentLead, 'answers' | 'affid'>,
  { ef_transaction_id, sub_id }: Pick<Tracking, 'ef_transaction_id' | 'sub_id'>,
): string | undefined {
  if (!partnerUrl || partnerClosedStates.includes(answers.state ?? '')) return undefined;
  const url = new URL(partnerUrl);
  url.searchParams.set('transaction_id', ef_transaction_id);
  url.searchParams.set('affid', affid);
  url.searchParams.set('sub_id', sub_id);
  return url.href;
}

/** Returns the options of a survey's thank-you query (docs/specification.md#thank-you-query). */
export function thankYouOptions(
  survey: Pick<Survey, 'language' | 'thankYouReason'>,
  rules: ThankYouRules = {},
  lead: SentLead,
  more: { readonly referer: string; readonly compensationLevel: string | undefined },
): ThankYouOptions {
  const isLawyerReason = rules.reason === 'lawyer' && !!lead.answers.lawyer_redirect_reason;
  const options: ThankYouOptions = {
    contact: rules.contact !== false,
    ...(rules.decision !== false && { qualified: lead.qualified }),
    withReason: survey.thankYouReason || isLawyerReason,
    withQualifiedYes: rules.qualifiedYes === true,
    ...(rules.referer && { referer: more.referer }),
  };
  // The one-page form has affid, sub_id and q only.
  if (rules.contact === false) return options;
  return {
    ...options,
    ...(survey.language === 'es' && { lang: 'es' }),
    ...(more.compensationLevel && { compensationLevel: more.compensationLevel }),
  };
}
