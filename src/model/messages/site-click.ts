/**
 * The cookie that carries the visit's click to the contact form: lead fields as a query string. The server
 * sets it if the address has a click. Server and browser read it.
 */
export const siteClickCookie = 'site-click';

/**
 * The cookie that says that the phone number in localStorage, under the same name, is this visit's
 * (`web/survey/scripts/shown-number.ts`). A new click ends it, so that its calls are counted for that click.
 */
export const callNumberKey = 'call-number';
