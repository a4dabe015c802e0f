/** The contact details in the thank-you page's query, in order (docs/specification.md#thank-you-query). */
export const contactInThankYou = [
  'email',
  'city',
  'state',
  'zip_code',
  'phone',
  'state_long',
] as const;

/**
 * The query parameters that the thank-you page removes from the address bar
 * (docs/specification.md#privacy-of-the-thank-you-page).
 */
export const personalInThankYou = [...contactInThankYou, 'dq_reason'];
