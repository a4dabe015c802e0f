/**
 * The outcome of asking a third party.
 *
 * - `answered`: with a valid answer of any content.
 * - `failed`: refused, unreachable, or with an invalid answer.
 * - `timed_out`: no answer in time.
 * - `skipped`: not asked, because its circuit is open.
 */
export type AskOutcome = 'answered' | 'failed' | 'timed_out' | 'skipped';

/** The result of asking a third party; `said` is present only if the outcome is `answered`. */
export type Asked<Said> = {
  readonly outcome: AskOutcome;
  readonly said?: Said | undefined;
  /** Why there is no answer: status and message, without personal data. */
  readonly reason?: string | undefined;
  readonly durationMs: number;
};

/** Asks a third party about one value. Never throws, and ends within its time-out. */
export type Ask<Value, Said> = (value: Value) => Promise<Asked<Said>>;

/** The services that are asked about leads, as named in `lead_checks`. */
export type CheckedService =
  | 'phone'
  | 'email'
  | 'gibberish'
  | 'zip'
  | 'mapping'
  | 'buyers'
  | 'verification';

/** The record of one question to a third party about a lead, without personal data. */
export type LeadCheck = {
  readonly leadId: string;
  readonly service: CheckedService;
  /** The hash of the value: `askedKey`, or for a number or address the person key. */
  readonly asked: string;
  readonly at: Date;
  readonly durationMs: number;
  /**
   * `remembered`: an earlier answer was used again. `over_limit`: not asked, because the limit of paid checks is
   * reached.
   */
  readonly outcome: AskOutcome | 'remembered' | 'over_limit';
  readonly said?: Readonly<Record<string, unknown>> | undefined;
  /** Why there is no answer, without personal data. */
  readonly reason?: string | undefined;
};

/** Records a check in the background. Writes nothing if the lead has another secret or was erased. */
export type RecordCheck = (check: LeadCheck, secretSha256: string | null) => void;
