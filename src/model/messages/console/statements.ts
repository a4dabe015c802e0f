/** Messages about the statements of buyers (docs/specification.md#statements-of-buyers). Amounts are US dollars. */
import { type Static, Type } from '@sinclair/typebox';
import type { BadLine } from './people-requests.ts';
import { day, fileFields, oneOf, reason, textOf } from './requests.ts';

export const differenceStates = ['open', 'explained', 'disputed'] as const;
export type DifferenceState = (typeof differenceStates)[number];

/** Where a statement and our ledger differ about a lead. */
export type Difference = {
  readonly number: number;
  readonly kind: 'missing_here' | 'missing_there' | 'price' | 'state' | 'twice';
  /** The lead as the statement names it. */
  readonly reference: string;
  readonly leadId: string | null;
  readonly ours: string;
  readonly theirs: string;
  /** Theirs less ours. */
  readonly amount: number;
  readonly state: DifferenceState;
  readonly note: string;
};

type Sums = {
  /** The first and the last day (`YYYY-MM-DD`) of the period. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly lines: number;
  /** The number of leads without a difference. */
  readonly agree: number;
  readonly ours: number;
  readonly theirs: number;
};

/** A statement that was compared with our ledger. */
export type Statement = Sums & {
  readonly id: string;
  /** The buyer's name. */
  readonly buyer: string;
  readonly fileName: string;
  readonly createdAt: string;
  /** The differences by state, the most urgent first. */
  readonly sums: readonly {
    readonly state: DifferenceState;
    readonly differences: number;
    readonly amount: number;
  }[];
};

/** What a comparison found. */
export type Comparison = Sums & {
  /** Undefined: a dry run. */
  readonly id?: string;
  /** The heading in the file of each column that it has. */
  readonly columns: Readonly<
    Partial<Record<'lead' | 'their_id' | 'price' | 'state' | 'date', string>>
  >;
  readonly refused: readonly BadLine[];
  /** Words of the state column that we do not know: only the price of their lines is compared. */
  readonly unknownWords: readonly string[];
  readonly found: number;
  /** The first differences. */
  readonly differences: readonly Difference[];
};

/** Schema of a statement. Without days, the period is that of its lines. */
export const statementRequest = Type.Object({
  destination: textOf(60),
  fileName: textOf(200),
  ...fileFields,
  firstDay: Type.Optional(day),
  lastDay: Type.Optional(day),
});
export type StatementRequest = Static<typeof statementRequest>;

/** Schema of a decision about a difference. Without a number: about all that are open. */
export const differenceDecision = Type.Object({
  number: Type.Optional(Type.Integer({ minimum: 1 })),
  state: oneOf(differenceStates),
  reason,
});
export type DifferenceDecision = Static<typeof differenceDecision>;
