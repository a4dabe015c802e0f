import type { Language } from '../../src/model/fields/language.ts';

/**
 * One dated wording of the consent text (TCPA) in every language. `{company}` stands for the company's name. A line
 * break ends the first line, which is in plain words. `ticket` is the wording for the ticket flow, if it differs.
 */
export type ConsentFile = {
  readonly version: string;
  readonly text: Readonly<Record<Language, string>>;
  readonly ticket?: Readonly<Record<Language, string>>;
};

/**
 * One dated wording of the one-to-one consent texts (docs/specification.md#one-to-one-consent). `buyers` is shown on
 * PhoneAndBuyersConsent, `oneBuyer` there for a single law firm, `abbreviated` on PhoneAbbreviatedTCPA. The fixed
 * `statement` is posted instead of the shown text. `{firms}` stands for the names of the law firms.
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
