import { DEFAULT_SUB_ID, isPlaceholder } from './tracking.ts';

/** Optional parts of a thank-you query. */
export type ThankYouOptions = {
  /** Sets `q` to y or n. Undefined omits it (ticket flow). */
  readonly qualified?: boolean;
  /** False omits contact values, state and transaction id (one-page form). */
  readonly contact?: boolean;
  /** `es` for Spanish surveys. */
  readonly lang?: string;
  /** Adds `is_disqualified=true` and `dq_reason` for a disqualified visitor. */
  readonly withReason?: boolean;
  /** Adds `qualified=yes` for a qualified visitor (progress-bar variant). */
  readonly withQualifiedYes?: boolean;
  readonly referer?: string;
  /** `cl` (pages with `show-meter=yes`). */
  readonly compensationLevel?: string;
};

type ThankYouLead = Readonly<Partial<Record<string, string>>>;

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

/** The click tracker's parameter, removed from the query (docs/specification.md#transaction-id). */
const STRAY_TRANSACTION_ID = '_ef_transaction_id';

/** Returns the trimmed value, or undefined if it is empty or an unfilled placeholder. */
function filled(value: string | null | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed && !isPlaceholder(trimmed) ? trimmed : undefined;
}

/**
 * Returns the thank-you page's query without the question mark (docs/specification.md#thank-you-query).
 * The page's existing parameters come first, then the lead's values, then the optional parameters.
 * affid and sub_id come from the existing query, else the lead, else are 1.
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
