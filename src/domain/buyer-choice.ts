/** How long the buyers service may take (docs/specification.md#buyers). */
export const BUYERS_REQUEST_TIMEOUT_MS = 15_000;

/** What a page knows of buyers: apart from the rules of the buyer list, which only the server needs. */

/** A buyer of leads as the buyers service names it: the name that visitors see, and its ids. */
export type Buyer = { readonly name: string; readonly ids: readonly string[] };

/** Between names, and between the ids of different buyers: neither has it in it. */
const BAR = '|';

/** The ids of one buyer as text: the value of its box in the page. */
export function buyerValue({ ids }: Pick<Buyer, 'ids'>): string {
  return ids.join(',');
}

/** Buyers as two answers, as the page keeps them: names, and ids by buyer. */
export function buyersAsAnswers(buyers: readonly Buyer[]): {
  displayed_buyers: string;
  displayed_buyer_ids: string;
} {
  return {
    displayed_buyers: buyers.map(({ name }) => name).join(BAR),
    displayed_buyer_ids: buyers.map(buyerValue).join(BAR),
  };
}

/** The buyers that `buyersAsAnswers` wrote; none where the two do not fit. */
export function buyersFromAnswers(names = '', ids = ''): readonly Buyer[] {
  const each = ids === '' ? [] : ids.split(BAR);
  const all = names.split(BAR);
  return all.length === each.length
    ? each.map((value, index) => ({ name: all[index] ?? '', ids: value.split(',') }))
    : [];
}

/** Whether a buyer is chosen: all of its ids are in the list `selected` (joined by commas). */
export function isChosen(buyer: Pick<Buyer, 'ids'>, selected = ''): boolean {
  const ids = selected.split(',');
  return buyer.ids.every((id) => ids.includes(id));
}

/** Whether a visitor had law firms to choose from and chose none. */
export function choseNoFirm(answers: Readonly<Record<string, string | undefined>>): boolean {
  return answers['1_to_1_consent'] === 'yes' && !answers.selected_buyers;
}
