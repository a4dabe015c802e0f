/** Which leads of the list are selected: some rows, or all that match the filter. */
import { useState } from 'react';

/** A plan takes at most this many chosen leads; more are selected by the filter. */
export const MOST_CHOSEN = 1_000;

export type Selection = {
  readonly ids: ReadonlySet<string>;
  /** All leads of the filter are selected, loaded or not. */
  readonly isAll: boolean;
};

const nothing: Selection = { ids: new Set(), isAll: false };

/** Keeps the selection of one list. */
export function useSelection() {
  const [selection, setSelection] = useState(nothing);
  const [last, setLast] = useState<string>();
  return {
    ...selection,
    clear: () => setSelection(nothing),
    selectAll: () => setSelection({ ids: new Set(), isAll: true }),
    selectThese: (ids: readonly string[]) =>
      setSelection({ ids: new Set(ids.slice(0, MOST_CHOSEN)), isAll: false }),
    /** Selects a lead or not; with `through`, also all rows between it and the one before. */
    toggle: (id: string, rows: readonly { readonly id: string }[], through = false) => {
      setLast(id);
      setSelection((now) => toggled(now, through ? between(rows, last, id) : [id], id));
    },
  };
}

/** What `useSelection` returns. */
export type SelectionState = ReturnType<typeof useSelection>;

/** Returns the selection after the lead `id` was switched, and the others with it. */
export function toggled(now: Selection, ids: readonly string[], id: string): Selection {
  const next = new Set(now.isAll ? [] : now.ids);
  const isSelected = !next.has(id);
  for (const each of ids) {
    if (!isSelected) next.delete(each);
    else if (next.size < MOST_CHOSEN) next.add(each);
  }
  return { ids: next, isAll: false };
}

/** Returns the ids of the rows from one to another, both included. */
export function between(
  rows: readonly { readonly id: string }[],
  from: string | undefined,
  to: string,
): string[] {
  const end = rows.findIndex(({ id }) => id === to);
  const start = rows.findIndex(({ id }) => id === from);
  if (start === -1 || end === -1) return [to];
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id);
}
