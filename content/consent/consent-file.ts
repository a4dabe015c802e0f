import type { Language } from '../../src/model/fields/language.ts';

/**
 * A consent text in every language, as published on one day. The first line is in plain words.
 * `{company}` stands for the company's name.
 */
export type ConsentFile = {
  readonly version: string;
  readonly text: Readonly<Record<Language, string>>;
  readonly ticket?: Readonly<Record<Language, string>>;
  readonly contact?: Readonly<Record<Language, string>>;
};

/**
 * The texts for one-to-one consent, as published on one day
 * (docs/specification.md#one-to-one-consent). `{firms}` stands for the names of the law firms.
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
