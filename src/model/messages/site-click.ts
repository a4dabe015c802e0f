/** Cookie with the visit's click as a query string of lead fields. The contact form posts this click. */
export const siteClickCookie = 'site-click';

/**
 * Name of a localStorage item and of a cookie. The item has the displayed call-tracking number, and the cookie marks it
 * as current.
 */
export const callNumberKey = 'call-number';
