/** `POST /two-step-verification/code`: sends or checks an SMS code (docs/specification.md#sms-verification). */
export const phoneCodePath = '/two-step-verification/code';

export type PhoneCodeBody = {
  readonly lead_id: string;
  /** The survey's path. Only some surveys verify phone numbers. */
  readonly survey: string;
  readonly twilio: {
    /** `+1` and ten digits. */
    readonly phone: string;
    /** An earlier answer reported that a code was sent. */
    readonly sent_status: boolean;
    /** The code that the visitor typed. Empty to request a new code. */
    readonly code: string;
  };
};

/** The server's answers about an SMS code. */
export const phoneCodeStatuses = [
  'pending', // a code was sent, or the typed code was wrong
  'approved', // the typed code was right
  'expired', // every sent code has expired
  'too_many', // the visitor reached a limit of codes or tries
  'refused', // this number cannot receive a code
  'unavailable', // the SMS service is unreachable, so the visitor continues without verification
] as const;

export type PhoneCodeAnswer = {
  readonly status: (typeof phoneCodeStatuses)[number];
  /** The page waits for the visitor to type a code. False on every error. */
  readonly sent: boolean;
};

/** Length of the SMS code. */
export const SMS_CODE_CHARACTERS = 6;

/** Minimum pause between two SMS codes. */
export const SMS_RESEND_COOLDOWN_MS = 30_000;
