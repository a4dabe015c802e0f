/** One-to-one consent: the buyers shown to a visitor, and the lead fields that record the choice. */
import { type Buyer, buyersAsAnswers, buyerValue, isChosen } from './buyer-choice.ts';

/** The source of the displayed buyers, posted as `1_to_1_result`. */
type BuyerListResult =
  | 'fixed' // the survey's configuration
  | 'available' // the buyers service
  | 'fallback' // the fallback buyers, because the service returned none or is not configured
  | 'none' // no buyers, because the fallback is excluded in the visitor's state
  | 'failed'; // no buyers, because the call failed

/** The buyers displayed to one visitor, and their source. */
export type BuyerList = {
  readonly result: BuyerListResult;
  /** The field `1_to_1_consent`: yes if the visitor can choose buyers. */
  readonly consent: 'yes' | 'no';
  /** The field `1_to_1_timeout`: yes if the call to the buyers service failed. */
  readonly timeout: 'yes' | 'no';
  readonly displayed: readonly Buyer[];
  /** The checkboxes of the displayed buyers start checked. */
  readonly isPreselected: boolean;
  readonly possible: readonly Buyer[];
};

/** The buyers service's answer (docs/specification.md#buyers). */
export type AvailableBuyers = {
  readonly selectedBuyers: readonly Buyer[];
  readonly allPossibleBuyers: readonly Buyer[];
};

/** Id of the default buyer, which is the site itself (docs/specification.md#buyers). */
export const DEFAULT_BUYER_ID = '8674';
/** Ids of the fallback buyers (docs/specification.md#buyers). A setting has their names. */
export const FALLBACK_BUYER_IDS = ['40747', '40745'] as const;

/** The 22 states without fallback buyers (docs/specification.md#buyers). */
export const fallbackExcludedStates: readonly string[] =
  'AL AR AZ CA DC FL GA IA IL IN KS KY MA MD MI MS NE NH TN TX UT VA'.split(' ');

/** The buyer list when the consent step itself failed (docs/specification.md#buyers). */
export const failedStep: BuyerList = {
  result: 'failed',
  consent: 'no',
  timeout: 'no',
  displayed: [],
  isPreselected: false,
  possible: [],
};

/** The buyer list when the call to the buyers service failed (docs/specification.md#buyers). */
const failedCall: BuyerList = { ...failedStep, timeout: 'yes' };

export type BuyerListSettings = {
  /** The site's name. */
  readonly defaultBuyerName: string;
  readonly fallbackBuyers: readonly Buyer[];
  /** The checkboxes of buyers start checked (setting ONE_TO_ONE_PRESELECT). */
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
  // The service may omit a displayed buyer from the possible buyers; adds it anyway.
  for (const buyer of [...others, ...displayed]) {
    if (buyer.ids.every((id) => known.has(id))) continue;
    for (const id of buyer.ids) known.add(id);
    possible.push(buyer);
  }
  const consent = displayed.length > 0 ? 'yes' : 'no';
  return { result, consent, timeout: 'no', displayed, isPreselected, possible };
}

/** Returns the buyer list of a survey that configures its buyers (docs/specification.md#buyers). */
export function fixedBuyerList(buyers: readonly Buyer[], settings: BuyerListSettings): BuyerList {
  return buyerList('fixed', buyers, [], settings);
}

/**
 * Returns the buyer list of a survey that fetches its buyers from the buyers service.
 *
 * @param answer the service's answer; `none` if no service is configured, `failed` if the call failed
 * @param state the visitor's two-letter state code, or empty
 */
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

/** Returns the displayed buyers that the visitor chose. */
export function chosenBuyers(list: BuyerList, selected: string | undefined): readonly Buyer[] {
  return list.displayed.filter((buyer) => isChosen(buyerValue(buyer), selected));
}

/**
 * Returns the one-to-one fields of a lead (docs/specification.md#one-to-one-fields). A bar separates names,
 * because a firm's name may contain a comma. `1_to_1_dq` is yes if no buyer has the visitor's consent.
 */
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
