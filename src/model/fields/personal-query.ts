/** The contact details in the query, in order (docs/specification.md#thank-you-query). */
export const contactInThankYou = [
  'email',
  'city',
  'state',
  'zip_code',
  'phone',
  'state_long',
] as const;

/** The parameters to remove (docs/specification.md#privacy-of-the-thank-you-page). */
export const personalInThankYou = [...contactInThankYou, 'dq_reason'];
