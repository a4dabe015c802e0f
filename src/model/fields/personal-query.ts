/** The visitor's details in the thank-you query, in the order of docs/specification.md#thank-you-query. */
export const contactInThankYou = [
  'email',
  'city',
  'state',
  'zip_code',
  'phone',
  'state_long',
] as const;

/**
 * Thank-you query parameters that must not stay in the address bar
 * (docs/specification.md#privacy-of-the-thank-you-page).
 */
export const personalInThankYou = [...contactInThankYou, 'dq_reason'];
