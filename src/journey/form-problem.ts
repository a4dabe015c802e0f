/**
 * Why a form that was sent without a script cannot be taken: its visit is not known, it is not one of the
 * survey, it came from another site, too often, or when nothing could be stored.
 */
export type FormProblemReason =
  | 'no_visit'
  | 'unreadable'
  | 'foreign_page'
  | 'too_many'
  | 'unavailable';
