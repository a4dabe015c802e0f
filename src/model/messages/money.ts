/** The words of the money ledger (docs/specification.md#money). */

export type EntryKind = 'cost' | 'sale' | 'return' | 'adjustment' | 'payout';

/** What a buyer reports about a lead. */
export const outcomeKinds = [
  'contacted',
  'no_contact',
  'declined',
  'signed',
  'settled',
  'returned',
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** The reasons for which a buyer returns or declines a lead. */
export const RETURN_REASONS = {
  bad_contact: 'wrong number or address',
  wrong_case: 'not the kind of case',
  duplicate: 'the buyer had it before',
  consent_disputed: 'the person disputes the consent',
  out_of_area: 'outside the buyer’s area',
  attorney_retained: 'has another attorney',
  past_limitation: 'the deadline has passed',
  at_fault: 'the person was at fault',
  other: 'other',
} as const;
export type ReturnReason = keyof typeof RETURN_REASONS;
export const returnReasons = Object.keys(RETURN_REASONS) as ReturnReason[];
