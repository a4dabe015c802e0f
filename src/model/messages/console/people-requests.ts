/** Messages about requests of persons. `Time` is `Date` on the server and ISO 8601 text in JSON. */

import type { RevocationSource } from '../vocabulary.ts';

/** An entry of the suppression list. */
export type SuppressionEntry<Time = string> = {
  /** The first characters of the hash that identifies the person. */
  readonly keyStart: string;
  readonly kind: 'email' | 'phone';
  readonly actor: string;
  readonly source: RevocationSource;
  readonly at: Time;
};

/** A page of the suppression list. `next` is the cursor of the next page. */
export type SuppressionListAnswer<Time = string> = {
  readonly entries: readonly SuppressionEntry<Time>[];
  readonly next: string | null;
};

/** The entries about a person on the suppression list. */
export type SuppressionLookup<Time = string> = {
  readonly entries: readonly SuppressionEntry<Time>[];
  /** The number of the person's addresses and numbers that are not on the list. */
  readonly unlisted: number;
  readonly leads: number;
};

/** A recipient of a person's data. */
export type PersonReceipt = {
  readonly destination: string;
  readonly leadId: string;
  /** A verb phrase, such as `received it`. */
  readonly text: string;
  readonly at: string;
  /** True if the received data identify the person. */
  readonly isPersonal: boolean;
};

/** The result of adding a person to the suppression list. */
export type SuppressionChange = {
  readonly stopped: number;
  readonly receipts: readonly PersonReceipt[];
};

/** A recipient of a lead that has not confirmed the revocation of its person. */
export type Revocation<Time = string> = {
  readonly leadId: string;
  readonly destination: string;
  readonly title: string;
  readonly externalId: string | null;
  readonly source: RevocationSource;
  /** When the operator's own system received the event `consent.revoked`. */
  readonly toldAt: Time | null;
  /** The deadline (`YYYY-MM-DD`). */
  readonly confirmBy: string;
};

export const MOST_IMPORT_LINES = 50_000;

/** Maximum length of an import, in characters. */
export const MOST_IMPORT_LENGTH = 6_000_000;

/** A line of a file that was not read. The reason does not quote the line, which can name a person. */
export type BadLine = { readonly line: number; readonly reason: string };

export type SuppressionImport = {
  readonly added: number;
  readonly known: number;
  readonly refused: readonly BadLine[];
};

export const optOutOutcomes = ['waiting', 'honoured', 'dismissed', 'undone'] as const;
export type OptOutOutcome = (typeof optOutOutcomes)[number];

/** A do-not-sell request, without contact details. */
export type OptOutAnswer<Time = string, Receipt = PersonReceipt> = {
  readonly id: string;
  readonly reference: string;
  readonly receivedAt: Time;
  /** The last day on which the law allows an answer (`YYYY-MM-DD`). */
  readonly dueBy: string;
  /** True if the request still waits after `dueBy`. */
  readonly isLate: boolean;
  readonly outcome: OptOutOutcome;
  readonly usState: string;
  readonly hasSignal: boolean;
  readonly leads: number;
  readonly stopped: number;
  readonly receipts: readonly Receipt[];
  /** The number of requests that came from the same IP address at about the same time. */
  readonly ofSameSender: number;
};

export type OptOutListAnswer<Time = string, Receipt = PersonReceipt> = {
  readonly requests: readonly OptOutAnswer<Time, Receipt>[];
  readonly waiting: number;
  readonly next: string | null;
};

/** `sender` means all requests from the same IP address within a day. */
export type OptOutScope = 'one' | 'sender';

/** The data that an erasure will delete. */
export type ErasureAnswer<Receipt = PersonReceipt> = {
  readonly leads: readonly string[];
  readonly visits: readonly string[];
  readonly requests: number;
  /** The ids of similar leads that the erasure does not delete. */
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
