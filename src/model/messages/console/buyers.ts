/** Messages about buyers and their terms. Times are ISO 8601. */
import { type Static, Type } from '@sinclair/typebox';
import type { BuyerTerms } from '../../rules/buyer-terms.ts';
import type { CapUse, PassedOver } from '../../rules/choose-buyers.ts';
import { reason, textOf } from './requests.ts';

/** A buyer, with its money of the visits of a period. */
export type BuyerAnswer = {
  readonly destination: string;
  /** The destination's name. */
  readonly title: string;
  readonly terms: BuyerTerms;
  readonly changedAt: string;
  readonly changedBy: string;
  /** False if its destination has no settings. */
  readonly isSetUp: boolean;
  /** Why it gets no lead now; null if it may get one. */
  readonly obstacle: PassedOver['reason'] | null;
  /** When it may have leads again; null if not by waiting. */
  readonly opensAt: string | null;
  /** The use of each cap. `until`: when its period ends; null: never. */
  readonly uses: readonly (Pick<CapUse, 'cap' | 'leads' | 'cents'> & {
    readonly until: string | null;
  })[];
  /** The number of leads that wait for it, by reason. */
  readonly waiting: readonly (Pick<PassedOver, 'reason'> & { readonly leads: number })[];
  /** Leads that it took. */
  readonly delivered: number;
  /** US dollars, net of returns, and the returns. */
  readonly revenue: number;
  readonly returned: number;
};

export type BuyersAnswer = {
  readonly buyers: readonly BuyerAnswer[];
  /** Destinations that are set up, buy leads and have no terms. */
  readonly others: readonly { readonly destination: string; readonly title: string }[];
};

export const termsRequest = Type.Object({
  destination: textOf(60),
  /** They are checked where they are stored, so that an error names the wrong value. */
  terms: Type.Unsafe<BuyerTerms>(),
  reason,
  /** When the terms were changed that the operator saw; null if there were none. */
  changedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});
export type TermsRequest = Static<typeof termsRequest>;
