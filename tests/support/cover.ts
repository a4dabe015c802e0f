/**
 * Returns a cheap selection of items that has every kind of the whole list. Repeatedly takes the item with the most new
 * kinds for its cost, then drops superfluous items.
 */
export function cheapCover<Item>(
  items: readonly Item[],
  kindsOf: (item: Item) => readonly string[],
  costOf: (item: Item) => number,
): Item[] {
  const candidates = items.map((item) => ({ item, kinds: new Set(kindsOf(item)) }));
  const unseen = new Set(candidates.flatMap(({ kinds }) => [...kinds]));
  const chosen: typeof candidates = [];
  const worth = ({ item, kinds }: (typeof candidates)[number]) =>
    [...kinds].filter((kind) => unseen.has(kind)).length / costOf(item);
  while (unseen.size > 0) {
    const best = candidates.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    chosen.push(best);
    for (const kind of best.kinds) unseen.delete(kind);
  }
  for (const each of chosen.toReversed()) {
    const others = new Set(
      chosen.filter((other) => other !== each).flatMap(({ kinds }) => [...kinds]),
    );
    if ([...each.kinds].every((kind) => others.has(kind))) chosen.splice(chosen.indexOf(each), 1);
  }
  return chosen.map(({ item }) => item);
}
