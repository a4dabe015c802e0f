/** Time limit of a call to the buyers service (docs/specification.md#buyers). */
export const BUYERS_REQUEST_TIMEOUT_MS = 15_000;

/** A buyer of leads, such as a law firm. */
export type Buyer = { readonly name: string; readonly ids: readonly string[] };

/** Separates buyers in lead fields. No buyer's name contains this character. */
const BAR = '|';

/** Returns the value of a buyer's checkbox. */
export function buyerValue({ ids }: Pick<Buyer, 'ids'>): string {
  return ids.join(',');
}

const FIRMS = '{firms}';

/** Returns whether a consent text has a placeholder for law firms. */
export function namesFirms(text: string): boolean {
  return text.includes(FIRMS);
}

/** Replaces the placeholder in a consent text by the names of law firms. */
export function namingFirms(text: string, names = ''): string {
  return text.replaceAll(FIRMS, () => names.replaceAll(BAR, '; '));
}

/** Encodes buyers as two lead fields. */
export function buyersAsAnswers(buyers: readonly Buyer[]): {
  displayed_buyers: string;
  displayed_buyer_ids: string;
} {
  return {
    displayed_buyers: buyers.map(({ name }) => name).join(BAR),
    displayed_buyer_ids: buyers.map(buyerValue).join(BAR),
  };
}

/** Decodes the lead fields of `buyersAsAnswers`. */
export function buyersFromAnswers(
  names = '',
  ids = '',
): readonly (readonly [name: string, value: string])[] {
  const all = names.split(BAR);
  return ids ? ids.split(BAR).map((value, index) => [all[index] ?? '', value]) : [];
}

/** Returns whether the visitor chose the buyer with this checkbox value. */
export function isChosen(value: string, selected = ''): boolean {
  const ids = selected.split(/[,|]/);
  return value.split(',').every((id) => ids.includes(id));
}

/** Returns whether the visitor could choose law firms and chose none. */
export function choseNoFirm(answers: Readonly<Record<string, string | undefined>>): boolean {
  return answers['1_to_1_consent'] === 'yes' && !answers.selected_buyers;
}
