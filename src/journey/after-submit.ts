import type { Answers } from '../domain/answers.ts';
import { isYes } from '../domain/answers.ts';
import type { PartnerTabRules, ThankYouRules } from '../domain/submit-rules.ts';
import type { ThankYouOptions } from '../domain/thank-you.ts';
import type { Survey } from '../flows/surveys.ts';

/** The lead as far as what follows its post depends on it. */
export type SentLead = {
  readonly qualified: boolean;
  /** The answers as the rules leave them. */
  readonly answers: Readonly<Record<string, string>>;
  readonly affid: string;
};

/**
 * Whether a partner page opens for this visitor: for a disqualified one, where the survey has one and
 * its flow makes no exception (docs/specification.md#partner-tab). The states that keep it
 * closed are `partnerHref`'s.
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

/** What a survey's thank-you query carries (docs/specification.md#thank-you-query). */
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
  // "affid, sub_id and q only" leaves no room for more.
  if (rules.contact === false) return options;
  return {
    ...options,
    ...(survey.language === 'es' && { lang: 'es' }),
    ...(more.compensationLevel && { compensationLevel: more.compensationLevel }),
  };
}
