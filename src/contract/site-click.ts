/**
 * The cookie that carries the visit's click to the contact form: lead fields as a query string. The server
 * sets it if the address has a click. Server and browser read it.
 */
export const siteClickCookie = 'site-click';
