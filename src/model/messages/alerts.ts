/** Path to which a page posts an alert for the operators (docs/specification.md#calls-of-the-page). */
export const sendSlackMessagePath = '/send-slack-message';

export const EMAIL_ACCEPTED_ALERT = 'An e-mail address was blocked, given again, and accepted';

/** The texts of alerts that a page may post. */
export const pageAlerts = [EMAIL_ACCEPTED_ALERT] as const;
export type PageAlert = (typeof pageAlerts)[number];
