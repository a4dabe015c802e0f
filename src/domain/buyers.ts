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
export type OfferResult = 'fixed' | 'available' | 'fallback' | 'none' | 'failed';

/** The buyers that one visitor is offered. */
export type BuyerOffer = {
  readonly result: OfferResult;
  /** `1_to_1_consent`: yes where there are buyers to choose from. */
  readonly consent: 'yes' | 'no';
  /** `1_to_1_timeout`: the call of the buyers service failed (document 2, section 8). */
  readonly timeout: 'yes' | 'no';
  readonly displayed: readonly Buyer[];
  readonly possible: readonly Buyer[];
};

/** What the buyers service answers (document 2, section 7). */
export type AvailableBuyers = {
  readonly selectedBuyers: readonly Buyer[];
  readonly allPossibleBuyers: readonly Buyer[];
};

/** Id of the default buyer, who is the site itself (document 2, section 9). */
export const DEFAULT_BUYER_ID = '8674';
/** Ids of the fallback buyers (document 2, section 9). Their names are a setting. */
export const FALLBACK_BUYER_IDS = ['40747', '40745'] as const;

/** Where the fallback buyers do not stand in (document 2, section 9): 22 states. */
export const fallbackExcludedStates: readonly string[] =
  'AL AR AZ CA DC FL GA IA IL IN KS KY MA MD MI MS NE NH TN TX UT VA'.split(' ');

/** Nobody to choose from, because the step itself failed (document 2, section 8). */
export const failedStep: BuyerOffer = {
  result: 'failed',
  consent: 'no',
  timeout: 'no',
  displayed: [],
  possible: [],
};

/** The buyers service could not be asked: empty lists, and the flag (document 2, section 8). */
const failedCall: BuyerOffer = { ...failedStep, timeout: 'yes' };

/** What decides which buyers are offered. */
export type OfferSettings = {
  /** The default buyer's name: the site's. */
  readonly defaultBuyerName: string;
  readonly fallbackBuyers: readonly Buyer[];
};

function offered(
  result: OfferResult,
  displayed: readonly Buyer[],
  others: readonly Buyer[],
  { defaultBuyerName }: OfferSettings,
): BuyerOffer {
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

/** The offer of a survey whose buyers are fixed (document 2, section 4). */
export function fixedOffer(buyers: readonly Buyer[], settings: OfferSettings): BuyerOffer {
  return offered('fixed', buyers, [], settings);
}

/**
 * The offer of a survey whose buyers are fetched.
 *
 * @param answer `none`: there is no service to ask; `failed`: it gave no usable answer
 * @param state two-letter code, or empty
 */
export function fetchedOffer(
  answer: AvailableBuyers | 'none' | 'failed',
  state: string,
  settings: OfferSettings,
): BuyerOffer {
  if (answer === 'failed') return failedCall;
  const { selectedBuyers, allPossibleBuyers } =
    answer === 'none' ? { selectedBuyers: [], allPossibleBuyers: [] } : answer;
  if (selectedBuyers.length > 0) {
    return offered('available', selectedBuyers, allPossibleBuyers, settings);
  }
  return fallbackExcludedStates.includes(state)
    ? offered('none', [], allPossibleBuyers, settings)
    : offered('fallback', settings.fallbackBuyers, allPossibleBuyers, settings);
}

/** The buyers that a visitor chose, of those that were shown. */
export function chosenBuyers(offer: BuyerOffer, selected: string | undefined): readonly Buyer[] {
  return offer.displayed.filter((buyer) => isChosen(buyer, selected));
}

/**
 * The one-to-one fields of a lead (document 2, section 3). Names are joined by a bar, since a firm's
 * name may have a comma in it; ids by a comma.
 *
 * `1_to_1_dq` is yes where no buyer may use a one-to-one consent. `selected_buyers_changed` compares
 * with what the page preselects, which is nobody.
 */
export function oneToOneFields(
  offer: BuyerOffer,
  selected: string | undefined,
): Record<string, string> {
  const chosen = chosenBuyers(offer, selected);
  const names = (buyers: readonly Buyer[]) => buyersAsAnswers(buyers).displayed_buyers;
  const ids = (buyers: readonly Buyer[]) => buyers.map(buyerValue).join(',');
  return {
    '1_to_1_consent': offer.consent,
    '1_to_1_result': offer.result,
    '1_to_1_timeout': offer.timeout,
    '1_to_1_dq': chosen.length > 0 ? 'no' : 'yes',
    selected_buyers: ids(chosen),
    selected_buyer_names: names(chosen),
    displayed_buyers: names(offer.displayed),
    selected_buyers_number: String(chosen.length),
    selected_buyers_changed: chosen.length > 0 ? 'yes' : 'no',
    all_possible_buyer_names: names(offer.possible),
    all_possible_buyer_ids: ids(offer.possible),
    all_possible_buyers_number: String(offer.possible.length),
  };
}
