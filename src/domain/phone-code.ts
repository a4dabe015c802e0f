/** Length of the SMS code. */
export const SMS_CODE_CHARACTERS = 6;

/** Pause before the SMS code can be sent again. */
export const SMS_RESEND_COOLDOWN_MS = 30_000;
