/** The reason if a visitor with a lawyer gives none (docs/specification.md#lawyer-reason). */
export const DEFAULT_LAWYER_REASON = 'have_attorney|yes';

/** The values of `lawyer_redirect_reason`. */
export const lawyerReasons: readonly string[] = [
  DEFAULT_LAWYER_REASON,
  'have_attorney|yes_but_I_want_a_new_lawyer',
];
