/** The answer of `GET /us/{zip}` (document 1, section 7): empty strings for an unknown zip or an error. */
export type ZipAnswer = {
  readonly zip: string;
  readonly city: string;
  /** Two-letter code. */
  readonly state: string;
  readonly state_long: string;
  readonly county: string;
};
export const zipPath = '/us/';

/** `POST /api/check/phone`, body `{ phone: '10 digits', survey }`. */
export const checkPhonePath = '/api/check/phone';
export type PhoneCheckAnswer = { readonly valid: boolean; readonly active: boolean };

/** `POST /api/check/email`, body `{ email, lead_id }`. Blocked once; the same address a second time passes. */
export const checkEmailPath = '/api/check/email';
export type EmailCheckAnswer = { readonly blocked: boolean };

/** `POST /api/check/text`, body `{ text }`: what the case description sets off. */
export const checkTextPath = '/api/check/text';
export type TextCheckAnswer = {
  readonly is_gibberish: 'yes' | 'no';
  readonly bad_words: 'yes' | 'no';
};
