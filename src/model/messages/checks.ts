/** The answer of `GET /us/{zip}`. Unknown values are '' (docs/specification.md#zip-look-up). */
export type ZipAnswer = {
  readonly zip: string;
  readonly city: string;
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
  /** True if the survey, not the service, set `active` to false. The visitor may then go on. */
  readonly forced?: true;
};

/** `POST /api/check/email`, body `{ email, lead_id }`. Never blocks an e-mail address twice. */
export const checkEmailPath = '/api/check/email';
export type EmailCheckAnswer = { readonly blocked: boolean };

/** `POST /api/check/text`, body `{ text, lead_id }`. The text is the case description. */
export const checkTextPath = '/api/check/text';
export type TextCheckAnswer = {
  readonly is_gibberish: 'yes' | 'no';
  readonly bad_words: 'yes' | 'no';
};
