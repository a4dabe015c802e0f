/**
 * The suppression list, do-not-sell requests and erasure in the console. No answer names a person.
 * `Time`: the server writes a `Date`, which is ISO 8601 text in JSON.
 */

/** An entry of the suppression list. The person is a hash: it cannot be shown, only looked up. */
export type SuppressionEntry<Time = string> = {
  /** The first characters of the key, enough to recognise an entry. */
  readonly keyStart: string;
  readonly kind: 'email' | 'phone';
  readonly actor: string;
  readonly at: Time;
};

/** The newest entries first. `next` is the `after` of the next page; null: this was the last. */
export type SuppressionListAnswer<Time = string> = {
  readonly entries: readonly SuppressionEntry<Time>[];
  readonly next: string | null;
};

/** What we hold of a person. Without entries the person is not on the list. */
export type SuppressionLookup<Time = string> = {
  readonly entries: readonly SuppressionEntry<Time>[];
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

/** What putting a person on the list has stopped, and who has the person's data. */
export type SuppressionChange = {
  readonly stopped: number;
  readonly receipts: readonly PersonReceipt[];
};

/** The most lines that one import reads. */
export const MOST_IMPORT_LINES = 50_000;

/** The longest CSV of an import, in characters. */
export const MOST_IMPORT_LENGTH = 6_000_000;

export type SuppressionImport = {
  readonly id: string;
  readonly added: number;
  readonly known: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
};

/** An import as it is listed. */
export type SuppressionImportEntry<Time = string> = Omit<SuppressionImport, 'refused'> & {
  readonly actor: string;
  readonly at: Time;
  readonly refused: number;
};

export const optOutOutcomes = ['waiting', 'honoured', 'dismissed', 'undone'] as const;
export type OptOutOutcome = (typeof optOutOutcomes)[number];

/** A do-not-sell request, without the person. */
export type OptOutAnswer<Time = string, Receipt = PersonReceipt> = {
  readonly id: string;
  /** What the visitor was given, to name the request on the phone. */
  readonly reference: string;
  readonly receivedAt: Time;
  /** The last day on which the law lets it be honoured, `YYYY-MM-DD`. */
  readonly dueBy: string;
  /** Business days left; negative: overdue. Null unless it waits. */
  readonly daysLeft: number | null;
  readonly outcome: OptOutOutcome;
  readonly usState: string;
  readonly hasSignal: boolean;
  readonly leads: number;
  readonly stopped: number;
  readonly receipts: readonly Receipt[];
  /** Requests of the same sender within a day before and after, this one included; at most 1 000. */
  readonly ofSameSender: number;
};

export type OptOutListAnswer<Time = string, Receipt = PersonReceipt> = {
  readonly requests: readonly OptOutAnswer<Time, Receipt>[];
  readonly waiting: number;
  readonly next: string | null;
};

/** `sender`: all requests of the same address within a day, for example of a flood. */
export type OptOutScope = 'one' | 'sender';

/** The effect of undoing requests, done or planned. */
export type UndoneRequests = {
  readonly requests: number;
  /** Keys that leave the suppression list. */
  readonly keys: number;
  /** Keys that stay on the list because an operator or another request asked for them too. */
  readonly kept: number;
  /** Deliveries that are resumed. */
  readonly deliveries: number;
};

/** What an erasure would erase, or has erased. */
export type ErasureAnswer<Receipt = PersonReceipt> = {
  readonly leads: readonly string[];
  /** Visits that ended without a lead. */
  readonly visits: readonly string[];
  /** Do-not-sell requests that still contain personal data. */
  readonly requests: number;
  /** Other leads with the same address or number, which are not erased. */
  readonly others: readonly string[];
  /** Who received the person's data, or may have. */
  readonly receipts: readonly Receipt[];
};

/** The word to type before an erasure. */
export const ERASE_WORD = 'erase';

/** What is left of an erased lead or visit. */
export type ErasureProof<Time = string> = {
  readonly id: string;
  readonly leadId: string;
  readonly at: Time;
  readonly actor: string;
  readonly isVisit: boolean;
  /** How many posts the lead had. */
  readonly revisions: number;
  readonly deliveries: readonly {
    readonly destination: string;
    readonly state: string;
    readonly external_id: string | null;
  }[];
};
export type ErasureListAnswer<Time = string> = {
  readonly erasures: readonly ErasureProof<Time>[];
  readonly next: string | null;
};
