/** Path for SMS codes (docs/specification.md#sms-verification). */
export const phoneCodePath = '/two-step-verification/code';

export type PhoneCodeBody = {
  readonly lead_id: string;
  readonly survey: string;
  readonly twilio: {
    /** `+1` and ten digits. */
    readonly phone: string;
    /** True if the server has already sent a code. */
    readonly sent_status: boolean;
    /** The typed code, or '' to request a code. */
    readonly code: string;
  };
};

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
  /** True if the page must ask for the code now. */
  readonly sent: boolean;
};

export const SMS_CODE_CHARACTERS = 6;

export const SMS_RESEND_COOLDOWN_MS = 30_000;
