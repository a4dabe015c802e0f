/** Time limit of a call to the buyers service (docs/specification.md#buyers). */
export const BUYERS_REQUEST_TIMEOUT_MS = 15_000;

/** A lead buyer: the name that visitors see, and the buyer's ids. */
export type Buyer = { readonly name: string; readonly ids: readonly string[] };

/** Separates buyers in the answers. No name or id contains a bar. */
const BAR = '|';

/** Returns a buyer's ids as the value of the buyer's checkbox. */
export function buyerValue({ ids }: Pick<Buyer, 'ids'>): string {
  return ids.join(',');
}

/** Placeholder for the law firms' names in a consent text. */
const FIRMS = '{firms}';

/** Returns whether a consent text has the placeholder for law firms. */
export function namesFirms(text: string): boolean {
  return text.includes(FIRMS);
}

/**
 * Replaces the placeholder in a consent text by the law firms' names.
 * @param names the answer `displayed_buyers`
 */
export function namingFirms(text: string, names = ''): string {
  return text.replaceAll(FIRMS, () => names.replaceAll(BAR, '; '));
}

/** Encodes buyers as the two answers in which the page stores them. */
export function buyersAsAnswers(buyers: readonly Buyer[]): {
  displayed_buyers: string;
  displayed_buyer_ids: string;
} {
  return {
    displayed_buyers: buyers.map(({ name }) => name).join(BAR),
    displayed_buyer_ids: buyers.map(buyerValue).join(BAR),
  };
}

/** Decodes the answers of `buyersAsAnswers`. */
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
