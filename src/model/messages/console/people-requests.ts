/** Messages about people's requests. `Time` is `Date` on the server, and ISO 8601 text in JSON. */

/** An entry of the suppression list, which has only a hash of the person. */
export type SuppressionEntry<Time = string> = {
  /** The first characters of the person's hash, by which operators recognise an entry. */
  readonly keyStart: string;
  readonly kind: 'email' | 'phone';
  readonly actor: string;
  readonly at: Time;
};

/** A page of the suppression list, newest first. `next`: cursor of the next page, or null. */
export type SuppressionListAnswer<Time = string> = {
  readonly entries: readonly SuppressionEntry<Time>[];
  readonly next: string | null;
};

/** A person's entries on the suppression list, and the number of the person's leads. */
export type SuppressionLookup<Time = string> = {
  readonly entries: readonly SuppressionEntry<Time>[];
  readonly leads: number;
};

/** A recipient that received a person's data, or may have received it. */
export type PersonReceipt = {
  readonly destination: string;
  readonly leadId: string;
  /** A verb phrase without a date, such as `received it`. */
  readonly text: string;
  readonly at: string;
  /** False if the recipient got only data that do not identify the person, such as a zip code. */
  readonly isPersonal: boolean;
};

/** The number of deliveries that a suppression stopped, and who has the person's data. */
export type SuppressionChange = {
  readonly stopped: number;
  readonly receipts: readonly PersonReceipt[];
};

export const MOST_IMPORT_LINES = 50_000;

/** Maximum length of an import, in characters. */
export const MOST_IMPORT_LENGTH = 6_000_000;

export type SuppressionImport = {
  readonly added: number;
  readonly known: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
};

export const optOutOutcomes = ['waiting', 'honoured', 'dismissed', 'undone'] as const;
export type OptOutOutcome = (typeof optOutOutcomes)[number];

/** A do-not-sell request without the person's contact details. */
export type OptOutAnswer<Time = string, Receipt = PersonReceipt> = {
  readonly id: string;
  readonly reference: string;
  readonly receivedAt: Time;
  /** Last day for an answer by law, `YYYY-MM-DD`. */
  readonly dueBy: string;
  /** Business days until `dueBy`, negative if overdue. Null unless the request is waiting. */
  readonly daysLeft: number | null;
  readonly outcome: OptOutOutcome;
  readonly usState: string;
  readonly hasSignal: boolean;
  readonly leads: number;
  readonly stopped: number;
  readonly receipts: readonly Receipt[];
  /** Number of requests from the same IP address within a day before or after, at most 1000. */
  readonly ofSameSender: number;
};

export type OptOutListAnswer<Time = string, Receipt = PersonReceipt> = {
  readonly requests: readonly OptOutAnswer<Time, Receipt>[];
  readonly waiting: number;
  readonly next: string | null;
};

/** `one`: only this request. `sender`: all requests from the same IP address within a day. */
export type OptOutScope = 'one' | 'sender';

export type UndoneRequests = {
  readonly requests: number;
  /** Entries to remove from the suppression list. */
  readonly keys: number;
  /** Entries that remain on the list, because they have a second reason. */
  readonly kept: number;
  readonly deliveries: number;
};

/** The data that an erasure will delete. */
export type ErasureAnswer<Receipt = PersonReceipt> = {
  readonly leads: readonly string[];
  /** Ids of visits without a lead. */
  readonly visits: readonly string[];
  /** Number of do-not-sell requests with personal data. */
  readonly requests: number;
  /** Ids of leads with the same e-mail address or phone number, which the erasure excludes. */
  readonly others: readonly string[];
  readonly receipts: readonly Receipt[];
};

/** An operator types this word to confirm an erasure. */
export const ERASE_WORD = 'erase';

/** The record that remains after an erasure. */
export type ErasureProof<Time = string> = {
  readonly id: string;
  readonly leadId: string;
  readonly at: Time;
  readonly actor: string;
  readonly isVisit: boolean;
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
