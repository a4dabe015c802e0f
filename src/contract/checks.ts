/**
 * The answer of `GET /us/{zip}` (docs/specification.md#zip-look-up): empty strings for an unknown zip
 * or an error.
 */
export type ZipAnswer = {
  readonly zip: string;
  readonly city: string;
  /** Two-letter code. */
  readonly state: string;
  readonly state_long: string;
  readonly county: string;
};
export const zipPath = '/us/';

/** `POST /api/check/phone`, body `{ phone: '10 digits', survey, lead_id }`. */
export const checkPhonePath = '/api/check/phone';
export type PhoneCheckAnswer = {
  readonly valid: boolean;
  readonly active: boolean;
  /** `active` is false because the survey's path says so, and stops nobody. */
  readonly forced?: true;
};

/** `POST /api/check/email`, body `{ email, lead_id }`. Blocked once; the same address a second time passes. */
export const checkEmailPath = '/api/check/email';
export type EmailCheckAnswer = { readonly blocked: boolean };

/** `POST /api/check/text`, body `{ text, lead_id }`: what the case description sets off. */
export const checkTextPath = '/api/check/text';
export type TextCheckAnswer = {
  readonly is_gibberish: 'yes' | 'no';
  readonly bad_words: 'yes' | 'no';
};
