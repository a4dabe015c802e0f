/** Fragments of the thank-you page to which a posted form leads. */

/** The fragments that the server redirects to after a form sent a lead (`thankYouFragments`, `stateFragment`). */
export const formFragments = /^(sent|no-firm|state-[A-Z]{2})$/;

/**
 * Returns the fragment that opens the next steps of one state on a thank-you page without scripts.
 *
 * @param code two letters, for example `TX`
 */
export const stateFragment = (code: string) => `state-${code}`;
