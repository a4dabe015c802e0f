/** One-to-one consent: which buyers a visitor is shown, and what the lead says of the choice. */
import { type Buyer, buyersAsAnswers, buyerValue, isChosen } from './buyer-choice.ts';

/**
 * How the buyers that a visitor is shown came about; posted as `1_to_1_result`.
 * - `fixed`: the survey's own
 * - `available`: the buyers service named them
 * - `fallback`: it had none (or there is none), and the fallback buyers stand in
 * - `none`: it had none, and the state is on the exclusion list
 * - `failed`: it could not be asked
 */
export type BuyerListResult = 'fixed' | 'available' | 'fallback' | 'none' | 'failed';

/** The buyers that one visitor is shown, and how they came about. */
export type BuyerList = {
  readonly result: BuyerListResult;
  /** `1_to_1_consent`: yes where there are buyers to choose from. */
  readonly consent: 'yes' | 'no';
  /** `1_to_1_timeout`: the call of the buyers service failed (docs/specification.md#buyers). */
  readonly timeout: 'yes' | 'no';
  readonly displayed: readonly Buyer[];
  readonly possible: readonly Buyer[];
};

/** What the buyers service answers (docs/specification.md#buyers). */
export type AvailableBuyers = {
  readonly selectedBuyers: readonly Buyer[];
  readonly allPossibleBuyers: readonly Buyer[];
};

/** Id of the default buyer, who is the site itself (docs/specification.md#buyers). */
export const DEFAULT_BUYER_ID = '8674';
/** Ids of the fallback buyers (docs/specification.md#buyers). Their names are a setting. */
export const FALLBACK_BUYER_IDS = ['40747', '40745'] as const;

/** Where the fallback buyers do not stand in (docs/specification.md#buyers): 22 states. */
export const fallbackExcludedStates: readonly string[] =
  'AL AR AZ CA DC FL GA IA IL IN KS KY MA MD MI MS NE NH TN TX UT VA'.split(' ');

/** Nobody to choose from, because the step itself failed (docs/specification.md#buyers). */
export const failedStep: BuyerList = {
  result: 'failed',
  consent: 'no',
  timeout: 'no',
  displayed: [],
  possible: [],
};

/** The buyers service could not be asked: empty lists, and the flag (docs/specification.md#buyers). */
const failedCall: BuyerList = { ...failedStep, timeout: 'yes' };

/** What decides which buyers are shown. */
export type BuyerListSettings = {
  /** The default buyer's name: the site's. */
  readonly defaultBuyerName: string;
  readonly fallbackBuyers: readonly Buyer[];
};

function buyerList(
  result: BuyerListResult,
  displayed: readonly Buyer[],
  others: readonly Buyer[],
  { defaultBuyerName }: BuyerListSettings,
): BuyerList {
  const first: Buyer = { name: defaultBuyerName, ids: [DEFAULT_BUYER_ID] };
  const known = new Set(first.ids);
  const possible = [first];
  // Whoever is shown is possible, also where the service forgets to say so.
  for (const buyer of [...others, ...displayed]) {
    if (buyer.ids.every((id) => known.has(id))) continue;
    for (const id of buyer.ids) known.add(id);
    possible.push(buyer);
  }
  const consent = displayed.length > 0 ? 'yes' : 'no';
  return { result, consent, timeout: 'no', displayed, possible };
}

/** The buyer list of a survey whose buyers are fixed (docs/specification.md#buyers). */
export function fixedBuyerList(buyers: readonly Buyer[], settings: BuyerListSettings): BuyerList {
  return buyerList('fixed', buyers, [], settings);
}

/**
 * The buyer list of a survey whose buyers are fetched.
 *
 * @param answer `none`: there is no service to ask; `failed`: it gave no usable answer
 * @param state two-letter code, or empty
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

/** The buyers that a visitor chose, of those that were shown. */
export function chosenBuyers(list: BuyerList, selected: string | undefined): readonly Buyer[] {
  return list.displayed.filter((buyer) => isChosen(buyer, selected));
}

/**
 * The one-to-one fields of a lead (docs/specification.md#one-to-one-fields). Names are joined by a bar,
 * since a firm's name may have a comma in it; ids by a comma.
 *
 * `1_to_1_dq` is yes where no buyer may use a one-to-one consent. `selected_buyers_changed` compares
 * with what the page preselects, which is nobody.
 */
export function oneToOneFields(
  list: BuyerList,
  selected: string | undefined,
): Record<string, string> {
  const chosen = chosenBuyers(list, selected);
  const names = (buyers: readonly Buyer[]) => buyersAsAnswers(buyers).displayed_buyers;
  const ids = (buyers: readonly Buyer[]) => buyers.map(buyerValue).join(',');
  return {
    '1_to_1_consent': list.consent,
    '1_to_1_result': list.result,
    '1_to_1_timeout': list.timeout,
    '1_to_1_dq': chosen.length > 0 ? 'no' : 'yes',
    selected_buyers: ids(chosen),
    selected_buyer_names: names(chosen),
    displayed_buyers: names(list.displayed),
    selected_buyers_number: String(chosen.length),
    selected_buyers_changed: chosen.length > 0 ? 'yes' : 'no',
    all_possible_buyer_names: names(list.possible),
    all_possible_buyer_ids: ids(list.possible),
    all_possible_buyers_number: String(list.possible.length),
  };
}
