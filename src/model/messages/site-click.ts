/** The cookie that carries the visit's click to the contact form: lead fields as a query string. */
export const siteClickCookie = 'site-click';

/** The cookie that says that the number stored in localStorage under this name belongs to this visit. */
export const callNumberKey = 'call-number';
