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

/** Reads what `buyersAsAnswers` wrote. Returns no buyers if names and ids differ in number. */
export function buyersFromAnswers(names = '', ids = ''): readonly Buyer[] {
  const each = ids === '' ? [] : ids.split(BAR);
  const all = names.split(BAR);
  return all.length === each.length
    ? each.map((value, index) => ({ name: all[index] ?? '', ids: value.split(',') }))
    : [];
}

/** Returns whether all ids of a buyer are in `selected`, a comma-separated list. */
export function isChosen(buyer: Pick<Buyer, 'ids'>, selected = ''): boolean {
  const ids = selected.split(',');
  return buyer.ids.every((id) => ids.includes(id));
}

/** Returns whether the visitor was offered law firms and chose none. */
export function choseNoFirm(answers: Readonly<Record<string, string | undefined>>): boolean {
  return answers['1_to_1_consent'] === 'yes' && !answers.selected_buyers;
}
