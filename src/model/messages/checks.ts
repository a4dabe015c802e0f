/** The answer of `GET /us/{zip}`, with empty strings if unknown or on error (docs/specification.md#zip-look-up). */
export type ZipAnswer = {
  readonly zip: string;
  readonly city: string;
  /** Two-letter code. */
  readonly state: string;
  readonly state_long: string;
  readonly county: string;
};
export const zipPath = '/us/';

/** `POST /api/check/phone`, body `{ phone: '10 digits', survey, lead_id, keep_active }`. */
export const checkPhonePath = '/api/check/phone';
export type PhoneCheckAnswer = {
  readonly valid: boolean;
  readonly active: boolean;
  /** The survey's configuration forces `active: false`, which must not stop the visitor. Never with `keep_active`. */
  readonly forced?: true;
};

/** `POST /api/check/email`, body `{ email, lead_id }`. A second request for a blocked address is accepted. */
export const checkEmailPath = '/api/check/email';
export type EmailCheckAnswer = { readonly blocked: boolean };

/** `POST /api/check/text`, body `{ text, lead_id }`: checks the case description. */
export const checkTextPath = '/api/check/text';
export type TextCheckAnswer = {
  readonly is_gibberish: 'yes' | 'no';
  readonly bad_words: 'yes' | 'no';
};
