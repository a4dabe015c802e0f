/** Cookie with the visit's click as a query string of lead fields. The contact form posts this click. */
export const siteClickCookie = 'site-click';

/** Name of the localStorage item with the displayed call-tracking number, and of a cookie that marks it as current. */
export const callNumberKey = 'call-number';
