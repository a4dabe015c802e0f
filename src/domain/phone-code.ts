/** Length of the SMS code. */
export const SMS_CODE_CHARACTERS = 6;

/** Minimum pause between two SMS codes. */
export const SMS_RESEND_COOLDOWN_MS = 30_000;
