/**
 * The console's messages about the suppression list, do-not-sell requests and erasure. No answer names a person.
 * `Time` is `Date` on the server and ISO 8601 text in JSON.
 */

/** An entry of the suppression list. It has only a hash of the person. */
export type SuppressionEntry<Time = string> = {
  /** The first characters of the person's hash, enough to recognise an entry. */
  readonly keyStart: string;
  readonly kind: 'email' | 'phone';
  readonly actor: string;
  readonly at: Time;
};

/** A page of entries, the newest first. `next` is the cursor of the next page (null on the last page). */
export type SuppressionListAnswer<Time = string> = {
  readonly entries: readonly SuppressionEntry<Time>[];
  readonly next: string | null;
};

/** The suppression entries and the data of one person. A person without entries is not on the list. */
export type SuppressionLookup<Time = string> = {
  readonly entries: readonly SuppressionEntry<Time>[];
  readonly leads: number;
};

/** A recipient that received the person's data, or may have. */
export type PersonReceipt = {
  readonly destination: string;
  readonly leadId: string;
  /** A verb phrase such as `received it`. `at` has the date. */
  readonly text: string;
  readonly at: string;
  /** False if the recipient got only ids or a zip code, which do not identify the person. */
  readonly isPersonal: boolean;
};

/** The effect of adding a person to the list, and the recipients of the person's data. */
export type SuppressionChange = {
  readonly stopped: number;
  readonly receipts: readonly PersonReceipt[];
};

/** Maximum lines of one import. */
export const MOST_IMPORT_LINES = 50_000;

/** Maximum length of an import's CSV, in characters. */
export const MOST_IMPORT_LENGTH = 6_000_000;

export type SuppressionImport = {
  readonly id: string;
  readonly added: number;
  readonly known: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
};

/** An import in the list of imports. */
export type SuppressionImportEntry<Time = string> = Omit<SuppressionImport, 'refused'> & {
  readonly actor: string;
  readonly at: Time;
  readonly refused: number;
};

export const optOutOutcomes = ['waiting', 'honoured', 'dismissed', 'undone'] as const;
export type OptOutOutcome = (typeof optOutOutcomes)[number];

/** A do-not-sell request, without personal data. */
export type OptOutAnswer<Time = string, Receipt = PersonReceipt> = {
  readonly id: string;
  /** The reference number that the visitor received. */
  readonly reference: string;
  readonly receivedAt: Time;
  /** The legal deadline for the request, `YYYY-MM-DD`. */
  readonly dueBy: string;
  /** Business days until the deadline, negative if overdue. Null unless the request is waiting. */
  readonly daysLeft: number | null;
  readonly outcome: OptOutOutcome;
  readonly usState: string;
  readonly hasSignal: boolean;
  readonly leads: number;
  readonly stopped: number;
  readonly receipts: readonly Receipt[];
  /** Number of requests from the same IP address within a day before and after, at most 1000. */
  readonly ofSameSender: number;
};

export type OptOutListAnswer<Time = string, Receipt = PersonReceipt> = {
  readonly requests: readonly OptOutAnswer<Time, Receipt>[];
  readonly waiting: number;
  readonly next: string | null;
};

/** The requests to undo. `sender`: all requests from the same IP address within a day. */
export type OptOutScope = 'one' | 'sender';

/** The effect of undoing requests, planned or done. */
export type UndoneRequests = {
  readonly requests: number;
  /** Keys that leave the suppression list. */
  readonly keys: number;
  /** Keys that stay on the list because an operator or another request added them, too. */
  readonly kept: number;
  /** Deliveries that are resumed. */
  readonly deliveries: number;
};

/** The data that an erasure would erase or has erased. */
export type ErasureAnswer<Receipt = PersonReceipt> = {
  readonly leads: readonly string[];
  /** Visits that ended without a lead. */
  readonly visits: readonly string[];
  /** Do-not-sell requests that still contain personal data. */
  readonly requests: number;
  /** Other leads with the same e-mail address or phone number. The erasure leaves them. */
  readonly others: readonly string[];
  /** The recipients of the person's data. */
  readonly receipts: readonly Receipt[];
};

/** The word that an operator must type to confirm an erasure. */
export const ERASE_WORD = 'erase';

/** The record that remains of an erased lead or visit. */
export type ErasureProof<Time = string> = {
  readonly id: string;
  readonly leadId: string;
  readonly at: Time;
  readonly actor: string;
  readonly isVisit: boolean;
  /** Number of the lead's posts. */
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
