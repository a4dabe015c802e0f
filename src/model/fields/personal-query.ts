/**
 * The contact details in the query of the thank-you page (docs/specification.md#thank-you-query).
 */
export const contactInThankYou = [
  'email',
  'city',
  'state',
  'zip_code',
  'phone',
  'state_long',
] as const;

/**
 * The parameters that scripts must not see (docs/specification.md#privacy-of-the-thank-you-page).
 */
export const personalInThankYou = [...contactInThankYou, 'dq_reason'];
