/** Cookie with the parameters of the ad click, which the contact form posts. */
export const siteClickCookie = 'site-click';

/** Name of the cookie and the localStorage key for the call-tracking number. */
export const callNumberKey = 'call-number';
