/**
 * Thank-you query parameters that must not stay in the address bar
 * (docs/specification.md#privacy-of-the-thank-you-page).
 */
export const personalInThankYou = [
  'email',
  'city',
  'state',
  'zip_code',
  'phone',
  'state_long',
  'dq_reason',
];
