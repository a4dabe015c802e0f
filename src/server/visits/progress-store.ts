/** Progress as the use case passes it to the store. Times are ISO 8601. */

/** The click that began a visit. */
export type ClickRecord = {
  /** 32 hexadecimal digits, or the click tracker's transaction id. */
  readonly id: string;
  readonly leadId: string;
  readonly survey: string;
  readonly landingPage: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly secGpc: boolean;
  /** The browser's experiment variants (`assignmentText`), stored with each step of the report. */
  readonly variants: string;
};

/** One event of a visit. */
export type ProgressRecord = {
  readonly leadId: string;
  readonly seq: number;
  readonly survey: string;
  readonly step: string;
  readonly kind: string;
  readonly answers: Readonly<Record<string, string>>;
  /** The refused fields, with commas between them; null unless the kind is `refused`. */
  readonly refused: string | null;
  readonly seconds: number | null;
  readonly at: string | null;
};

/** Stores the progress of visits. */
export type ProgressStore = {
  /**
   * Writes the click and every new entry, identified by lead and seq. Writes nothing if the lead has another
   * secret or was erased.
   * @returns the seqs of the written entries
   * @throws StoreUnavailableError
   */
  save(
    click: ClickRecord,
    entries: readonly ProgressRecord[],
    secretSha256: string | null,
  ): Promise<readonly number[]>;
  /**
   * Returns whether the mirror may get this visit's progress, and records it if so. It may not with the opt-out
   * signal, for a person on the suppression list, or if the store fails. Never throws.
   */
  mayMirror(leadId: string): Promise<boolean>;
};

/** Written progress in the browser's wire format, without the fields that are not stored. */
export type SavedProgress = {
  readonly session: Readonly<Record<string, unknown>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
};
