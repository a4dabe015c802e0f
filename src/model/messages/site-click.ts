/** The cookie with the visit's click for the contact form. Its value is a query string of lead fields. */
export const siteClickCookie = 'site-click';

/** Name of a cookie and a localStorage item. The cookie marks the stored phone number as of this visit. */
export const callNumberKey = 'call-number';
