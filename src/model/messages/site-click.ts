/** Cookie with the visit's click as a query string, which the contact form posts. */
export const siteClickCookie = 'site-click';

/** Key of the call-tracking number in localStorage, and of the cookie that marks it as current. */
export const callNumberKey = 'call-number';
