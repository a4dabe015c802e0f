/** Time limit of a call to the buyers service (docs/specification.md#buyers). */
export const BUYERS_REQUEST_TIMEOUT_MS = 15_000;

/** A lead buyer from the buyers service: the name that visitors see, and its ids. */
export type Buyer = { readonly name: string; readonly ids: readonly string[] };

/** Separates buyers in both answers; no name or id contains it. */
const BAR = '|';

/** Returns a buyer's ids as the value of its checkbox. */
export function buyerValue({ ids }: Pick<Buyer, 'ids'>): string {
  return ids.join(',');
}

/** Stands for the law firms' names in a consent text. */
const FIRMS = '{firms}';

/** Returns whether a consent text names the law firms that are shown. */
export function namesFirms(text: string): boolean {
  return text.includes(FIRMS);
}

/**
 * Puts the law firms' names into a consent text. A name may contain a comma.
 * @param names the answer `displayed_buyers`
 */
export function namingFirms(text: string, names = ''): string {
  return text.replaceAll(FIRMS, () => names.replaceAll(BAR, '; '));
}

/** Returns buyers as the two answers in which the page keeps them. */
export function buyersAsAnswers(buyers: readonly Buyer[]): {
  displayed_buyers: string;
  displayed_buyer_ids: string;
} {
  return {
    displayed_buyers: buyers.map(({ name }) => name).join(BAR),
    displayed_buyer_ids: buyers.map(buyerValue).join(BAR),
  };
}

/** Reads what `buyersAsAnswers` wrote. */
export function buyersFromAnswers(
  names = '',
  ids = '',
): readonly (readonly [name: string, value: string])[] {
  const all = names.split(BAR);
  return ids ? ids.split(BAR).map((value, index) => [all[index] ?? '', value]) : [];
}

/**
 * Returns whether all ids of a buyer are chosen.
 *
 * @param value the buyer's `buyerValue`
 * @param selected the answer `selected_buyers`, or `displayed_buyer_ids` for all
 */
export function isChosen(value: string, selected = ''): boolean {
  const ids = selected.split(/[,|]/);
  return value.split(',').every((id) => ids.includes(id));
}

/** Returns whether the visitor was offered law firms and chose none. */
export function choseNoFirm(answers: Readonly<Record<string, string | undefined>>): boolean {
  return answers['1_to_1_consent'] === 'yes' && !answers.selected_buyers;
}
