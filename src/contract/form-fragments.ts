/** Fragments of the thank-you page to which a posted form leads. */
import { thankYouFragments } from './page-manifest.ts';

/**
 * Returns the fragment that opens the next steps of one state on a thank-you page without scripts.
 *
 * @param code two letters, for example `TX`
 */
export const stateFragment = (code: string) => `state-${code}`;

/** Whether a form that sent a lead leads to this fragment. */
export function isFormFragment(fragment: string | null): fragment is string {
  const fixed: readonly string[] = Object.values(thankYouFragments);
  return fragment !== null && (fixed.includes(fragment) || /^state-[A-Z]{2}$/.test(fragment));
}
