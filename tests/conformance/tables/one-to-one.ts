import type { FlowName } from './paths-and-ids.ts';

/** docs/specification.md#buyers: the number of fixed buyers, or that they are fetched. */
export const buyersByPath: Readonly<Record<string, number | 'fetched'>> = {
  '/survey/v4nv-d1': 1,
  '/survey/v4nv-d2': 5,
  '/survey/v4nv-x1': 1,
  '/survey/v6': 'fetched',
};

export const oneToOneFlows: readonly FlowName[] = ['one-to-one', 'one-to-one-fixed'];

/**
 * docs/specification.md#flows: WhenWasTheAccident "fetches mapping data"; ZipCode fetches the
 * buyers.
 */
export const MAPPING_STEP = 'WhenWasTheAccident';
export const BUYERS_STEP = 'ZipCode';

/** docs/specification.md#buyers: "a default buyer is always first in the possible-buyers list". */
export const DEFAULT_BUYER_ID = '8674';
/** docs/specification.md#buyers: the fallback buyers, and the 22 states without them. */
export const FALLBACK_BUYER_IDS = ['40747', '40745'];
export const statesWithoutFallback: readonly string[] =
  'AL AR AZ CA DC FL GA IA IL IN KS KY MA MD MI MS NE NH TN TX UT VA'.split(' ');

/** docs/specification.md#one-to-one-fields */
export const oneToOneLeadFields = [
  ...['1_to_1_consent', '1_to_1_result', '1_to_1_timeout', '1_to_1_dq', 'selected_buyers'],
  ...['selected_buyer_names', 'displayed_buyers', 'selected_buyers_number'],
  ...['selected_buyers_changed', 'all_possible_buyer_names', 'all_possible_buyer_ids'],
  'all_possible_buyers_number',
];
