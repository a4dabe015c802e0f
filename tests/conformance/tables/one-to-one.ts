/**
 * Rules copied by hand from docs/specification.md. "#section" in a comment is a section of that
 * document.
 */
import type { FlowName } from './paths-and-ids.ts';

/** Specification #buyers: the number of a path's fixed law firms, or `fetched`. */
export const buyersByPath: Readonly<Record<string, number | 'fetched'>> = {
  '/survey/v4nv-d1': 1,
  '/survey/v4nv-d2': 5,
  '/survey/v4nv-x1': 1,
  '/survey/v6': 'fetched',
};

export const oneToOneFlows: readonly FlowName[] = ['one-to-one', 'one-to-one-fixed'];

/** Specification #buyers: "a default buyer is always first in the possible-buyers list". */
export const DEFAULT_BUYER_ID = '8674';
/** Specification #buyers: the ids of the fallback buyers. */
export const FALLBACK_BUYER_IDS = ['40747', '40745'];
export const statesWithoutFallback: readonly string[] =
  'AL AR AZ CA DC FL GA IA IL IN KS KY MA MD MI MS NE NH TN TX UT VA'.split(' ');

/** Specification #one-to-one-fields: the fields of a lead with one-to-one consent. */
export const oneToOneLeadFields = [
  ...['1_to_1_consent', '1_to_1_result', '1_to_1_timeout', '1_to_1_dq', 'selected_buyers'],
  ...['selected_buyer_names', 'displayed_buyers', 'selected_buyers_number'],
  ...['selected_buyers_changed', 'all_possible_buyer_names', 'all_possible_buyer_ids'],
  'all_possible_buyers_number',
];
