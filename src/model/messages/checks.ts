/** City, state and county of a zip code. Unknown values are '' (docs/specification.md#zip-look-up). */
export type ZipAnswer = {
  readonly zip: string;
  readonly city: string;
  readonly state: string;
  readonly state_long: string;
  readonly county: string;
};
export const zipPath = '/us/';

/** Path for checking a phone number. */
export const checkPhonePath = '/api/check/phone';
export type PhoneCheckAnswer = {
  readonly valid: boolean;
  readonly active: boolean;
  /** True if a rule of the survey, not the phone service, set `active` to false. */
  readonly forced?: true;
};

/** Path for checking an e-mail address. */
export const checkEmailPath = '/api/check/email';
export type EmailCheckAnswer = { readonly blocked: boolean };

/** Path for checking the case description. */
export const checkTextPath = '/api/check/text';
export type TextCheckAnswer = {
  readonly is_gibberish: 'yes' | 'no';
  readonly bad_words: 'yes' | 'no';
};
