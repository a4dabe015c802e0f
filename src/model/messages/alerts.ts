/** Path at which pages report problems (docs/specification.md#calls-of-the-page). */
export const sendSlackMessagePath = '/send-slack-message';

export const EMAIL_ACCEPTED_ALERT = 'An e-mail address was blocked, given again, and accepted';

export const pageAlerts = [EMAIL_ACCEPTED_ALERT] as const;
export type PageAlert = (typeof pageAlerts)[number];
