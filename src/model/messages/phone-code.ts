/** `POST /two-step-verification/code`: sends or checks a code (docs/specification.md#sms-verification). */
export const phoneCodePath = '/two-step-verification/code';

export type PhoneCodeBody = {
  readonly lead_id: string;
  /** The survey's path; only some surveys verify numbers. */
  readonly survey: string;
  readonly twilio: {
    /** `+1` and ten digits. */
    readonly phone: string;
    /** Whether an earlier answer said that a code was sent. */
    readonly sent_status: boolean;
    /** The code that the visitor typed; empty asks for a new one. */
    readonly code: string;
  };
};

/** What the visitor's page is told of a code. */
export const phoneCodeStatuses = [
  'pending', // a code was sent; after a try: the code was wrong
  'approved', // the code was right, so the number is the visitor's
  'expired', // no code is valid any more
  'too_many', // a limit of sends or tries is reached
  'refused', // this number cannot receive a code
  'unavailable', // the service is unreachable; the visitor continues without verification
] as const;

export type PhoneCodeAnswer = {
  readonly status: (typeof phoneCodeStatuses)[number];
  /** Whether a code awaits the visitor's input. False on every error. */
  readonly sent: boolean;
};

/** Length of the SMS code. */
export const SMS_CODE_CHARACTERS = 6;

/** Minimum pause between two SMS codes. */
export const SMS_RESEND_COOLDOWN_MS = 30_000;
