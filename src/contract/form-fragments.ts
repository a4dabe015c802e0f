/** Fragments of the thank-you page to which a posted form leads. */
import { thankYouFragments } from './page-manifest.ts';

/**
 * Returns the fragment that opens the next steps of one state on a thank-you page without scripts.
 *
 * @param code two letters, for example `TX`
 */
export const stateFragment = (code: string) => `state-${code}`;

/** Whether the fragment is one that the server redirects to after a form sent a lead. */
export function isFormFragment(fragment: string | null): fragment is string {
  const fixed: readonly string[] = Object.values(thankYouFragments);
  return fragment !== null && (fixed.includes(fragment) || /^state-[A-Z]{2}$/.test(fragment));
}
