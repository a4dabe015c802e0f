import type { Language } from '../../src/domain/language.ts';

/** One dated wording of the consent (TCPA) text, in every language. `{company}` is the site's name. */
export type ConsentFile = {
  readonly version: string;
  readonly text: Readonly<Record<Language, string>>;
};
