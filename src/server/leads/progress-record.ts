/** Progress as the use case hands it to the store. Times are ISO 8601. */

/** The visit: where the visitor came from. */
export type ClickRecord = {
  /** 32 hexadecimal digits, or the id that a click tracker gave. */
  readonly id: string;
  readonly leadId: string;
  readonly survey: string;
  readonly landingPage: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly secGpc: boolean;
  /** Of experiments (`assignmentText`): with every step that this report brings. */
  readonly variants: string;
};

/** One thing that happened on the way. */
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
