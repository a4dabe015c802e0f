/** Where a page of ours tells the operators of something (docs/specification.md#calls-of-the-page). */
export const sendSlackMessagePath = '/send-slack-message';

export const EMAIL_ACCEPTED_ALERT = 'An e-mail address was blocked, given again, and accepted';

/** Everything that a page of ours can cause to be said: word for word, as nothing else is passed on. */
export const pageAlerts = [EMAIL_ACCEPTED_ALERT] as const;
export type PageAlert = (typeof pageAlerts)[number];
