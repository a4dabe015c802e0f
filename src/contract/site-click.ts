/**
 * The cookie that carries the click of a visit to the form of the contact page: the lead's fields, as a query
 * string. The server sets it where an address has a click; both sides read it.
 */
export const siteClickCookie = 'site-click';
