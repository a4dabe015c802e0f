/**
 * `POST /two-step-verification/code`: has a code sent to the visitor's number, or tries one
 * (docs/specification.md#sms-verification).
 */
export const phoneCodePath = '/two-step-verification/code';

export type PhoneCodeBody = {
  readonly lead_id: string;
  /** The survey's path: only one that verifies numbers has codes sent. */
  readonly survey: string;
  readonly twilio: {
    /** `+1` and ten digits. */
    readonly phone: string;
    /** Whether the page was told that a code is on its way. */
    readonly sent_status: boolean;
    /** What the visitor typed; empty: a code is wanted. */
    readonly code: string;
  };
};

/**
 * - `pending`: a code is on its way; after a try: it was another one.
 * - `approved`: the number is the visitor's.
 * - `expired`: there is no code that could still be tried.
 * - `too_many`: a limit of sends or tries is reached.
 * - `refused`: nothing can be sent to this number.
 * - `unavailable`: the service cannot be asked. The visitor goes on without.
 */
export const phoneCodeStatuses = [
  'pending',
  'approved',
  'expired',
  'too_many',
  'refused',
  'unavailable',
] as const;

export type PhoneCodeAnswer = {
  readonly status: (typeof phoneCodeStatuses)[number];
  /** Whether there is a code for the visitor to type. False on every error. */
  readonly sent: boolean;
};
