/**
 * Why a form posted without a script is refused.
 * - `no_visit`: unknown visit
 * - `unreadable`: not a form of the survey
 * - `foreign_page`: posted from another site
 * - `too_many`: rate limit
 * - `unavailable`: storage failed
 */
export type FormProblemReason =
  | 'no_visit'
  | 'unreadable'
  | 'foreign_page'
  | 'too_many'
  | 'unavailable';
