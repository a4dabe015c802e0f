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
  readonly seconds: number | null;
  readonly at: string | null;
};
