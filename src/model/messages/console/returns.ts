/** Messages about what buyers report. `Time` is `Date` on the server and ISO 8601 text in JSON. */
import { type Static, Type } from '@sinclair/typebox';
import type { OutcomeKind, ReturnReason } from '../money.ts';
import type { BadLine } from './people-requests.ts';
import { fileFields, leadId, oneOf, reason, textOf } from './requests.ts';

/** Returns that wait for a decision, decided returns, and outcomes of leads that the buyer did not get. */
export const outcomeLists = ['open', 'decided', 'unknown'] as const;
export type OutcomeList = (typeof outcomeLists)[number];

/** What a buyer reported about a lead. */
export type OutcomeAnswer<Time = string> = {
  readonly id: string;
  /** The buyer's name. */
  readonly buyer: string;
  /** Empty if the lead is unknown. */
  readonly leadId: string;
  /** The lead as the buyer names it. */
  readonly reference: string;
  readonly kind: OutcomeKind;
  readonly reason: ReturnReason | '';
  readonly reportedAt: Time;
  /** US dollars that the sale brought. */
  readonly amount: number;
  /** The source of the visit. Empty: direct or unknown. */
  readonly source: string;
  readonly affiliate: string;
  /** How a return compares with the buyer's terms. Null: no return, or the buyer has no terms. */
  readonly terms: ReturnTerms | null;
  readonly decision: ReturnDecision['decision'] | null;
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
};

/** The buyer's limits on returns, each with the value of this return. */
export type ReturnTerms = {
  readonly isReasonAccepted: boolean;
  /** Whole days from the delivery to the return. */
  readonly days: number;
  readonly mostDays: number;
  /** The accepted returns of the month's leads, in percent, with this one. */
  readonly percent: number;
  readonly mostPercent: number;
};

export type OutcomeListAnswer<Time = string> = {
  readonly outcomes: readonly OutcomeAnswer<Time>[];
  readonly next: string | null;
};

/** Schema of a decision about a return. */
export const returnDecision = Type.Object({
  id: textOf(400),
  leadId,
  decision: oneOf(['accepted', 'refused']),
  reason,
});
export type ReturnDecision = Static<typeof returnDecision>;

/** Schema of an import of outcomes. */
export const outcomesRequest = Type.Object({ destination: textOf(100), ...fileFields });

/** The result of an import, or of its dry run. */
export type OutcomeImport = {
  readonly stored: number;
  readonly repeated: number;
  /** Outcomes among `stored` that name no lead of the buyer. */
  readonly unknown: number;
  readonly refused: readonly BadLine[];
};
