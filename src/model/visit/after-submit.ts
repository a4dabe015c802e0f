import { type Answers, isYes } from '../fields/answers.ts';
import { contactInThankYou } from '../fields/personal-query.ts';
import { DEFAULT_SUB_ID, isPlaceholder, type Tracking } from '../fields/tracking.ts';
import type { Survey } from '../flows/surveys.ts';
import type { PageSettings } from '../messages/site-settings.ts';
import type { PartnerTabRules, ThankYouRules } from '../rules/submit-rules.ts';

/** The parts of a posted lead that decide on the next page. */
export type SentLead = {
  readonly qualified: boolean;
  readonly answers: Readonly<Record<string, string>>;
  readonly affid: string;
};

/** Returns whether the partner page opens for the visitor (docs/specification.md#partner-tab). */
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

/** Returns the URL of the partner page. Undefined in states without a partner page. */
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

/** The query of the thank-you page omits this parameter (docs/specification.md#transaction-id). */
const STRAY_TRANSACTION_ID = '_ef_transaction_id';

function filled(value: string | null | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed && !isPlaceholder(trimmed) ? trimmed : undefined;
}

/** Returns the query of the thank-you page (docs/specification.md#thank-you-query). */
export function thankYouQuery(
  survey: Pick<Survey, 'language' | 'thankYouReason'>,
  rules: ThankYouRules = {},
  { qualified, answers, affid }: SentLead,
  body: Readonly<Partial<Record<string, string>>>,
  page: { readonly search: string; readonly referer: string; readonly level?: string | undefined },
): string {
  const existing = new URLSearchParams(page.search);
  const own = new URLSearchParams();
  const hasContact = rules.contact !== false;
  const contact = [...contactInThankYou, 'ef_transaction_id'];
  if (hasContact) for (const field of contact) own.set(field, body[field] ?? '');
  for (const [field, value] of Object.entries({ affid, sub_id: body.sub_id })) {
    own.set(field, filled(existing.get(field)) ?? filled(value) ?? DEFAULT_SUB_ID);
  }
  const q = qualified ? 'y' : 'n';
  const decision = rules.decision === false ? undefined : q;
  if (decision) own.set('q', decision);
  if (hasContact && survey.language === 'es') own.set('lang', 'es');
  const isLawyerReason = rules.reason === 'lawyer' && !!answers.lawyer_redirect_reason;
  if (decision === 'n' && (survey.thankYouReason || isLawyerReason)) {
    own.set('is_disqualified', 'true');
    own.set('dq_reason', body.dq_reason ?? '');
  }
  if (decision === 'y' && rules.qualifiedYes) own.set('qualified', 'yes');
  if (rules.referer && page.referer) own.set('referer', page.referer);
  if (hasContact && page.level) own.set('cl', page.level);

  const query = new URLSearchParams();
  for (const [name, value] of existing) {
    if (name !== STRAY_TRANSACTION_ID && !own.has(name)) query.append(name, value);
  }
  for (const [name, value] of own) query.append(name, value);
  return query.toString();
}
