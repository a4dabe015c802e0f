import { DEFAULT_SUB_ID, isPlaceholder } from './tracking.ts';

/** What a survey's thank-you query carries besides the contact values. */
export type ThankYouOptions = {
  /** The decision: `q=y` or `q=n`. Absent: no `q` (ticket flow, whose query ends with sub_id). */
  readonly qualified?: boolean;
  /** Contact values, state and transaction id; false: affid, sub_id and q only (one-page form). */
  readonly contact?: boolean;
  /** `lang=es` on Spanish surveys. */
  readonly lang?: string;
  /** A disqualified visitor's query also has `is_disqualified=true` and `dq_reason`. */
  readonly withReason?: boolean;
  /** A qualified visitor's query also has `qualified=yes` (progress-bar variant). */
  readonly withQualifiedYes?: boolean;
  /** `referer` (three-step form). */
  readonly referer?: string;
  /** `cl`, the compensation level (pages with `show-meter=yes`). */
  readonly compensationLevel?: string;
};

/** The lead's fields that the query is made of. */
export type ThankYouLead = Readonly<Partial<Record<string, string>>>;

/** In the order of docs/specification.md#thank-you-query. */
const contactFields = [
  'email',
  'city',
  'state',
  'zip_code',
  'phone',
  'state_long',
  'ef_transaction_id',
] as const;

/**
 * The query key of the click tracker that does not travel on (docs/specification.md#transaction-id).
 */
const STRAY_TRANSACTION_ID = '_ef_transaction_id';

/** A value that says something: neither empty nor an unfilled placeholder. */
function filled(value: string | null | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed && !isPlaceholder(trimmed) ? trimmed : undefined;
}

/**
 * The thank-you page's query, without the question mark (docs/specification.md#thank-you-query). First
 * the parameters that the page already had, in their order, without a stray `_ef_transaction_id` and
 * without those that follow; then email, city, state, zip_code, phone, state_long, ef_transaction_id,
 * affid, sub_id, q (empty where the lead has no value); then the optional ones: lang, is_disqualified,
 * dq_reason, qualified, referer, cl. affid and sub_id keep the value that the query already has, else
 * the lead's, else 1.
 */
export function thankYouQuery(
  lead: ThankYouLead,
  options: ThankYouOptions,
  existingSearch: string | URLSearchParams = '',
): string {
  const existing = new URLSearchParams(existingSearch);
  const own = new URLSearchParams();
  if (options.contact !== false) {
    for (const field of contactFields) own.set(field, lead[field] ?? '');
  }
  for (const field of ['affid', 'sub_id']) {
    own.set(field, filled(existing.get(field)) ?? filled(lead[field]) ?? DEFAULT_SUB_ID);
  }
  const isDisqualified = options.qualified === false;
  if (options.qualified !== undefined) own.set('q', options.qualified ? 'y' : 'n');
  if (options.lang) own.set('lang', options.lang);
  if (options.withReason && isDisqualified) {
    own.set('is_disqualified', 'true');
    own.set('dq_reason', lead.dq_reason ?? '');
  }
  if (options.withQualifiedYes && options.qualified) own.set('qualified', 'yes');
  if (options.referer) own.set('referer', options.referer);
  if (options.compensationLevel) own.set('cl', options.compensationLevel);

  const query = new URLSearchParams();
  for (const [name, value] of existing) {
    if (name !== STRAY_TRANSACTION_ID && !own.has(name)) query.append(name, value);
  }
  for (const [name, value] of own) query.append(name, value);
  return query.toString();
}
