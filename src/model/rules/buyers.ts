import { type Buyer, buyersAsAnswers, buyerValue, isChosen } from './buyer-choice.ts';

/** The source of the displayed buyers. */
type BuyerListResult =
  | 'fixed' // the survey's configuration
  | 'available' // the buyers service
  | 'fallback' // the fallback buyers, because the service returned none or is not configured
  | 'none' // no buyers, because the fallback is excluded in the visitor's state
  | 'failed'; // no buyers, because the call failed

/** The buyers that a visitor saw. */
export type BuyerList = {
  readonly result: BuyerListResult;
  /** `yes` if the visitor could choose law firms. */
  readonly consent: 'yes' | 'no';
  /** `yes` if the buyers service failed. */
  readonly timeout: 'yes' | 'no';
  readonly displayed: readonly Buyer[];
  /** True if the checkboxes were checked at first. */
  readonly isPreselected: boolean;
  readonly possible: readonly Buyer[];
};

/** The answer of the buyers service (docs/specification.md#buyers). */
export type AvailableBuyers = {
  readonly selectedBuyers: readonly Buyer[];
  readonly allPossibleBuyers: readonly Buyer[];
};

/** The buyer id of the site itself (docs/specification.md#buyers). */
export const DEFAULT_BUYER_ID = '8674';
/** Ids of the fallback buyers (docs/specification.md#buyers). */
export const FALLBACK_BUYER_IDS = ['40747', '40745'] as const;

/** The states without fallback buyers (docs/specification.md#buyers). */
export const fallbackExcludedStates: readonly string[] =
  'AL AR AZ CA DC FL GA IA IL IN KS KY MA MD MI MS NE NH TN TX UT VA'.split(' ');

/** The buyer list if the consent step failed (docs/specification.md#buyers). */
export const failedStep: BuyerList = {
  result: 'failed',
  consent: 'no',
  timeout: 'no',
  displayed: [],
  isPreselected: false,
  possible: [],
};

const failedCall: BuyerList = { ...failedStep, timeout: 'yes' };

export type BuyerListSettings = {
  readonly defaultBuyerName: string;
  readonly fallbackBuyers: readonly Buyer[];
  /** True if the checkboxes of buyers are checked at first. */
  readonly preselectsFirms: boolean;
};

function buyerList(
  result: BuyerListResult,
  displayed: readonly Buyer[],
  others: readonly Buyer[],
  { defaultBuyerName, preselectsFirms: isPreselected }: BuyerListSettings,
): BuyerList {
  const first: Buyer = { name: defaultBuyerName, ids: [DEFAULT_BUYER_ID] };
  const known = new Set(first.ids);
  const possible = [first];
  // Adds the displayed buyers, because the buyers service may omit them from `allPossibleBuyers`.
  for (const buyer of [...others, ...displayed]) {
    if (buyer.ids.every((id) => known.has(id))) continue;
    for (const id of buyer.ids) known.add(id);
    possible.push(buyer);
  }
  const consent = displayed.length > 0 ? 'yes' : 'no';
  return { result, consent, timeout: 'no', displayed, isPreselected, possible };
}

/** Returns the buyer list of a survey with fixed buyers (docs/specification.md#buyers). */
export function fixedBuyerList(buyers: readonly Buyer[], settings: BuyerListSettings): BuyerList {
  return buyerList('fixed', buyers, [], settings);
}

/** Returns the buyer list for an answer of the buyers service. */
export function fetchedBuyerList(
  answer: AvailableBuyers | 'none' | 'failed',
  state: string,
  settings: BuyerListSettings,
): BuyerList {
  if (answer === 'failed') return failedCall;
  const { selectedBuyers, allPossibleBuyers } =
    answer === 'none' ? { selectedBuyers: [], allPossibleBuyers: [] } : answer;
  if (selectedBuyers.length > 0) {
    return buyerList('available', selectedBuyers, allPossibleBuyers, settings);
  }
  return fallbackExcludedStates.includes(state)
    ? buyerList('none', [], allPossibleBuyers, settings)
    : buyerList('fallback', settings.fallbackBuyers, allPossibleBuyers, settings);
}

export function chosenBuyers(list: BuyerList, selected: string | undefined): readonly Buyer[] {
  return list.displayed.filter((buyer) => isChosen(buyerValue(buyer), selected));
}

/** Returns the lead fields about one-to-one consent (docs/specification.md#one-to-one-fields). */
export function oneToOneFields(
  list: BuyerList,
  selected: string | undefined,
): Record<string, string> {
  const chosen = chosenBuyers(list, selected);
  const names = (buyers: readonly Buyer[]) => buyersAsAnswers(buyers).displayed_buyers;
  const ids = (buyers: readonly Buyer[]) => buyers.map(buyerValue).join(',');
  const preselected = list.isPreselected ? list.displayed : [];
  return {
    '1_to_1_consent': list.consent,
    '1_to_1_result': list.result,
    '1_to_1_timeout': list.timeout,
    '1_to_1_dq': chosen.length > 0 ? 'no' : 'yes',
    selected_buyers: ids(chosen),
    selected_buyer_names: names(chosen),
    displayed_buyers: names(list.displayed),
    selected_buyers_number: String(chosen.length),
    selected_buyers_changed: ids(chosen) === ids(preselected) ? 'no' : 'yes',
    all_possible_buyer_names: names(list.possible),
    all_possible_buyer_ids: ids(list.possible),
    all_possible_buyers_number: String(list.possible.length),
  };
}
