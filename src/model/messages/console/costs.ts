/** Costs as the console shows and imports them (docs/specification.md#costs). */

export const rateDimensions = ['source', 'affiliate'] as const;
export const ratePers = ['click', 'lead', 'sale'] as const;

/** What a source or an affiliate gets. */
export type CostRate = {
  readonly dimension: (typeof rateDimensions)[number];
  readonly value: string;
  readonly per: (typeof ratePers)[number];
  /** US dollars. 0 ends the rate. */
  readonly amount: number;
  /** The first day, as `yyyy-MM-dd`. */
  readonly validFrom: string;
  readonly actor: string;
};

/** A row of an import: what a source cost on a day. */
export type ImportedCost = {
  readonly line: number;
  readonly day: string;
  /** Names such as `source=google`. */
  readonly of: readonly string[];
  /** US dollars. */
  readonly cost: number;
  /** What earlier imports of the same row said. */
  readonly before: number;
  /** The visits that share the cost. 0: the day carries it. */
  readonly visits: number;
};

export type CostImport = {
  readonly rows: readonly ImportedCost[];
  /** Rows that were not read. If there is one, nothing is imported. */
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
  /** What the import adds to the costs, in US dollars. */
  readonly added: number;
};

/** The columns of an import. The first three must be there. */
export const costColumns = ['day', 'source', 'cost', 'campaign', 'affiliate', 'sub', 'survey'];

export type CostsAnswer = { readonly rates: readonly CostRate[]; readonly clickCostParam: string };
