import type { Language } from '../../src/model/fields/language.ts';

/**
 * One dated wording of the consent (TCPA) text, in every language. `{company}` is the site's name; a line
 * break ends the plain first line. `ticket`: of the ticket flow, where it is another.
 */
export type ConsentFile = {
  readonly version: string;
  readonly text: Readonly<Record<Language, string>>;
  readonly ticket?: Readonly<Record<Language, string>>;
};

/**
 * One dated wording of the texts of one-to-one consent (docs/specification.md#one-to-one-consent): what
 * stands on PhoneAndBuyersConsent, what stands on PhoneAbbreviatedTCPA, and the fixed statement that is
 * posted in place of each. `{firms}` are the names of the law firms; `oneBuyer` names a single one.
 */
export type OneToOneConsentFile = {
  readonly version: string;
  readonly buyers: Readonly<Record<Language, string>>;
  readonly oneBuyer?: Readonly<Record<Language, string>>;
  readonly abbreviated: Readonly<Record<Language, string>>;
  readonly statement: Readonly<
    Record<'buyers' | 'abbreviated', Readonly<Record<Language, string>>>
  >;
};
