/** Messages about what buyers report. `Time` is `Date` on the server and ISO 8601 text in JSON. */
import { type Static, Type } from '@sinclair/typebox';
import type { OutcomeKind, ReturnReason } from '../money.ts';
import { MOST_IMPORT_LENGTH } from './people-requests.ts';
import { textOf } from './requests.ts';

export const returnLists = ['open', 'decided'] as const;
export type ReturnList = (typeof returnLists)[number];
export const returnDecisions = ['accepted', 'refused'] as const;
export type ReturnDecision = (typeof returnDecisions)[number];

/** A lead that a buyer wants to return. */
export type ReturnAnswer<Time = string> = {
  readonly id: string;
  readonly destination: string;
  /** The buyer's name. */
  readonly buyer: string;
  readonly leadId: string;
  readonly reason: ReturnReason;
  readonly deliveredAt: Time | null;
  readonly returnedAt: Time;
  /** US dollars that the sale brought. */
  readonly amount: number;
  /** The source of the visit. Empty: direct or unknown. */
  readonly source: string;
  readonly affiliate: string;
  /** How the return compares with the buyer's terms. Null: the buyer has none. */
  readonly terms: ReturnTerms | null;
  readonly decision: ReturnDecision | null;
  readonly decidedAt: Time | null;
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

export type ReturnListAnswer<Time = string> = {
  readonly returns: readonly ReturnAnswer<Time>[];
  /** The number of returns that wait for a decision. */
  readonly open: number;
  readonly next: string | null;
};

/** A message about a lead that its buyer did not get from us. */
export type UnknownOutcome<Time = string> = {
  readonly id: string;
  readonly buyer: string;
  readonly reference: string;
  readonly kind: OutcomeKind;
  readonly reason: ReturnReason | '';
  readonly receivedAt: Time;
};
export type UnknownOutcomesAnswer<Time = string> = {
  readonly outcomes: readonly UnknownOutcome<Time>[];
  readonly next: string | null;
};

/** The returns of one source among the visits of a period. */
export type SourceReturns = {
  readonly source: string;
  readonly delivered: number;
  readonly returned: number;
  readonly accepted: number;
  /** US dollars of the accepted returns. */
  readonly credited: number;
  /** The most frequent reason. Null: none. */
  readonly reason: ReturnReason | null;
};

/** Schema of an import of outcomes. The first line of `csv` names the columns. */
export const outcomesRequest = Type.Object({
  destination: textOf(100),
  csv: textOf(MOST_IMPORT_LENGTH),
  isDryRun: Type.Boolean(),
});
export type OutcomesRequest = Static<typeof outcomesRequest>;

/** The result of an import, or of its dry run. */
export type OutcomeImport = {
  readonly stored: number;
  readonly repeated: number;
  /** Outcomes among `stored` that name no lead of the buyer. */
  readonly unknown: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
};
