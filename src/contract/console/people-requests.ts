/** The suppression list, do-not-sell requests and erasure in the console. No answer names a person. */

/** An entry of the suppression list. The person is a hash: it cannot be shown, only looked up. */
export type SuppressionEntry = {
  /** The first characters of the key, enough to recognise an entry. */
  readonly keyStart: string;
  readonly kind: 'email' | 'phone';
  readonly actor: string;
  readonly at: string;
  readonly isOfRequest: boolean;
};

/** The newest entries first. `next` is the `after` of the next page; null: this was the last. */
export type SuppressionListAnswer = {
  readonly entries: readonly SuppressionEntry[];
  readonly next: string | null;
};

export type SuppressionLookup = {
  readonly isListed: boolean;
  readonly entries: readonly SuppressionEntry[];
  readonly leads: number;
};

/** Somebody who received data of the person, or may have. */
export type PersonReceipt = {
  readonly destination: string;
  readonly leadId: string;
  /** Such as `received it`, with the date in `at`. */
  readonly text: string;
  readonly at: string;
  /** False: only ids or a zip code, which do not identify the person. */
  readonly isPersonal: boolean;
};

export type SuppressionChange = {
  /** How many keys were added or removed. */
  readonly keys: number;
  readonly leads: number;
  /** Deliveries that were stopped, or resumed. */
  readonly deliveries: number;
  readonly receipts: readonly PersonReceipt[];
};

/** The most lines that one import reads. */
export const MOST_IMPORT_LINES = 50_000;

/** The longest CSV of an import, in characters. */
export const MOST_IMPORT_LENGTH = 6_000_000;

export type SuppressionImport = {
  readonly added: number;
  readonly known: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
};

/** One import, newest first. */
export type SuppressionImportEntry = {
  readonly id: string;
  readonly actor: string;
  readonly at: string;
  readonly added: number;
  readonly known: number;
  readonly refused: number;
  readonly finishedAt: string | null;
};

export const optOutOutcomes = ['waiting', 'honoured', 'dismissed', 'undone'] as const;
export type OptOutOutcome = (typeof optOutOutcomes)[number];

/** A do-not-sell request, without the person. */
export type OptOutAnswer = {
  readonly id: string;
  /** What the visitor was given, to name the request on the phone. */
  readonly reference: string;
  readonly receivedAt: string;
  /** The last day on which the law lets it be honoured, `YYYY-MM-DD`. */
  readonly dueBy: string;
  /** Business days left; negative: overdue. Null unless it waits. */
  readonly daysLeft: number | null;
  readonly outcome: OptOutOutcome;
  readonly usState: string;
  readonly hasSignal: boolean;
  readonly leads: number;
  readonly stopped: number;
  readonly receipts: readonly PersonReceipt[];
  /** Requests of the same sender within a day before and after, this one included; at most 1 000. */
  readonly ofSameSender: number;
};

export type OptOutListAnswer = {
  readonly requests: readonly OptOutAnswer[];
  readonly waiting: number;
  readonly next: string | null;
};

/** `sender`: all requests of the same address within a day, for example of a flood. */
export type OptOutScope = 'one' | 'sender';

/** What was done, or would be, to do-not-sell requests. */
export type OptOutChange = {
  readonly requests: number;
  /** Deliveries that were stopped (honour) or resumed (undo). */
  readonly deliveries: number;
  /** Keys that left the suppression list, and that stay for another reason; for undo. */
  readonly removed: number;
  readonly kept: number;
};

/** What an erasure would erase, or has erased. */
export type ErasureAnswer = {
  readonly leads: readonly string[];
  /** Visits that ended without a lead. */
  readonly visits: readonly string[];
  readonly requests: number;
  /** Other leads with the same address or number, which are not erased. */
  readonly others: readonly string[];
  readonly receipts: readonly PersonReceipt[];
  /** When it was erased; null: it is a plan. */
  readonly erasedAt: string | null;
};

/** The word to type before an erasure. */
export const ERASE_WORD = 'erase';

/** What is left of an erased lead or visit. */
export type ErasureProof = {
  readonly id: string;
  readonly leadId: string;
  readonly at: string;
  readonly actor: string;
  readonly isVisit: boolean;
  /** How many posts the lead had. */
  readonly revisions: number;
  readonly deliveries: readonly {
    readonly destination: string;
    readonly state: string;
    readonly externalId: string | null;
  }[];
};
export type ErasureListAnswer = {
  readonly erasures: readonly ErasureProof[];
  readonly next: string | null;
};
