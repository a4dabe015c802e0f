/** The two windows of the browser tests: a phone's, unless a file says `test.use(desktop)`. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const desktop = { viewport: { width: 1440, height: 900 }, hasTouch: false, isMobile: false };
