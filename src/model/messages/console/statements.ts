/** Messages about statements: what a buyer says that it owes for leads (docs/specification.md#statements-of-buyers). */
import { type Static, Type } from '@sinclair/typebox';
import { MOST_IMPORT_LENGTH } from './people-requests.ts';
import { day, oneOf, reason, textOf } from './requests.ts';

export const differenceKinds = [
  'missing_here',
  'missing_there',
  'price',
  'state',
  'twice',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];
export const differenceStates = ['open', 'explained', 'disputed'] as const;
export type DifferenceState = (typeof differenceStates)[number];

/** A statement that was compared with our ledger. Amounts are US dollars. */
export type Statement = {
  readonly id: string;
  readonly destination: string;
  readonly title: string;
  /** The first and the last day of its period (`YYYY-MM-DD`), in the buyer's time zone. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly fileName: string;
  readonly lines: number;
  /** The number of leads without a difference. */
  readonly agree: number;
  readonly ours: number;
  readonly theirs: number;
  readonly createdAt: string;
  readonly actor: string;
  readonly counts: readonly DifferenceCount[];
};

/** How many differences a statement has of one kind in one state. */
export type DifferenceCount = {
  readonly kind: DifferenceKind;
  readonly state: DifferenceState;
  readonly differences: number;
  /** Theirs less ours, in US dollars. */
  readonly amount: number;
};

export type StatementsAnswer = {
  readonly statements: readonly Statement[];
  readonly buyers: readonly { readonly id: string; readonly label: string }[];
};

/** Where a statement and our ledger differ about one lead. */
export type FoundDifference = {
  readonly kind: DifferenceKind;
  /** The lead as the statement names it. */
  readonly reference: string;
  readonly leadId: string | null;
  readonly ours: string;
  readonly theirs: string;
  /** Theirs less ours, in US dollars. */
  readonly amount: number;
};

export type StatementDifference = FoundDifference & {
  readonly number: number;
  readonly state: DifferenceState;
  readonly note: string;
};

export type StatementAnswer = {
  readonly statement: Statement;
  readonly differences: readonly StatementDifference[];
  readonly next: string | null;
};

export const statementColumns = ['lead', 'other', 'price', 'state', 'date'] as const;
export type StatementColumn = (typeof statementColumns)[number];

/** What a comparison found. */
export type Comparison = Pick<
  Statement,
  'firstDay' | 'lastDay' | 'lines' | 'agree' | 'ours' | 'theirs'
> & {
  /** The heading in the file for each column that it has. */
  readonly columns: Readonly<Partial<Record<StatementColumn, string>>>;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
  /** Words of the column of states that mean nothing to us, so that only the price is compared. */
  readonly unknownWords: readonly string[];
  readonly found: number;
  /** The first differences. */
  readonly differences: readonly FoundDifference[];
  /** When a statement of this buyer and period was compared before. This one replaces it. */
  readonly replaces: string | null;
};

export const statementRequest = Type.Object({
  destination: textOf(60),
  fileName: textOf(200),
  csv: textOf(MOST_IMPORT_LENGTH),
  /** Default: the days of the first and of the last line. */
  firstDay: Type.Optional(day),
  lastDay: Type.Optional(day),
  isDryRun: Type.Boolean(),
});
export type StatementRequest = Static<typeof statementRequest>;

/** Schema of a decision about one difference, or about all open ones of a kind. */
export const differenceDecision = Type.Object({
  number: Type.Optional(Type.Integer({ minimum: 1 })),
  kind: Type.Optional(oneOf(differenceKinds)),
  state: oneOf(differenceStates),
  reason,
});
export type DifferenceDecision = Static<typeof differenceDecision>;
