/** Chooses items with low costs that together have every kind of all items. */
export function cheapCover<Item>(
  items: readonly Item[],
  kindsOf: (item: Item) => readonly string[],
  costOf: (item: Item) => number,
): Item[] {
  const unseen = new Set(items.flatMap(kindsOf));
  const worth = (item: Item) =>
    new Set(kindsOf(item).filter((kind) => unseen.has(kind))).size / costOf(item);
  const chosen: Item[] = [];
  while (unseen.size > 0) {
    const best = items.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    chosen.push(best);
    for (const kind of kindsOf(best)) unseen.delete(kind);
  }
  return chosen;
}
