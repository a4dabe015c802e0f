/** Messages about buyers and their terms. Times are ISO 8601. */
import { type Static, Type } from '@sinclair/typebox';
import type { BuyerTerms } from '../../rules/buyer-terms.ts';
import type { ChoiceReason } from '../vocabulary.ts';
import { reason, textOf } from './requests.ts';

/** Leads that wait for a buyer. */
export type WaitingLeads = {
  readonly reason: ChoiceReason;
  readonly leads: number;
  /** When the first of them is offered again. */
  readonly opensAt: string | null;
};

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
  readonly obstacle: ChoiceReason | null;
  /** When it may have leads again; null if not by waiting. */
  readonly opensAt: string | null;
  /** The use of each cap, in the order of the terms. `until`: when its period ends; null: never. */
  readonly uses: readonly {
    readonly leads: number;
    /** US dollars. */
    readonly money: number;
    readonly until: string | null;
  }[];
  readonly waiting: readonly WaitingLeads[];
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

/** The terms are checked where they are stored, so that an error names the wrong value. */
const terms = Type.Unsafe<BuyerTerms>({ type: 'object' });
export const termsRequest = Type.Object({
  destination: textOf(60),
  terms,
  reason,
  /** When the terms were changed that the operator saw; null if there were none. */
  changedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});
export type TermsRequest = Static<typeof termsRequest>;
