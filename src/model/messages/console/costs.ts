/** Costs as the console shows and imports them (docs/specification.md#costs). */
import { type Static, Type } from '@sinclair/typebox';
import type { BadLine } from './people-requests.ts';
import { day, oneOf } from './requests.ts';

/** Schema of what a source or an affiliate gets. */
export const rateRequest = Type.Object({
  dimension: oneOf(['source', 'affiliate']),
  /** Empty: direct visits. */
  value: Type.String({ maxLength: 40, pattern: '^([a-z0-9]([a-z0-9 ._+-]*[a-z0-9])?)?$' }),
  per: oneOf(['click', 'lead', 'sale']),
  /** US dollars. 0 ends the rate. */
  amount: Type.Number({ minimum: 0, maximum: 100_000 }),
  /** The first day. */
  validFrom: day,
});
export type RateRequest = Static<typeof rateRequest>;
export type CostRate = RateRequest & { readonly actor: string };

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
  /** The number of these visits that also have a cost from their click or from a rate of the source. */
  readonly charged: number;
};

export type CostImport = {
  readonly rows: readonly ImportedCost[];
  /** Rows that were not read. If there is one, nothing is imported. */
  readonly refused: readonly BadLine[];
  /** What the import adds to the costs, in US dollars. */
  readonly added: number;
};

export type CostsAnswer = {
  /** The click parameter that has the cost of a click. Empty: clicks name no cost. */
  readonly clickCostParam: string;
  readonly rates: readonly CostRate[];
};
