import type { ConsentKind, PublishedConsent } from '../../src/domain/consent.ts';
import type { Language } from '../../src/domain/language.ts';
import { consent20261120 } from './2026-11-20.ts';
import type { ConsentFile, OneToOneConsentFile } from './consent-file.ts';
import { oneToOneConsent20261120 } from './one-to-one-2026-11-20.ts';

/** Every wording that was ever shown, oldest first; the last is the one that is shown now. */
export const consentFiles: readonly [ConsentFile, ...ConsentFile[]] = [consent20261120];

/** The consent text that a page shows now, with the company's name in it. */
export function currentConsent(
  language: Language,
  companyName: string,
): { version: string; language: Language; text: string } {
  const file = consentFiles.at(-1) ?? consentFiles[0];
  return { version: file.version, language, text: filled(file.text[language], companyName) };
}

/** Every wording of the one-to-one texts that was ever shown, oldest first; the last counts now. */
export const oneToOneConsentFiles: readonly [OneToOneConsentFile, ...OneToOneConsentFile[]] = [
  oneToOneConsent20261120,
];

/** The texts that the last steps of a one-to-one survey show now; the version says which it is. */
export function oneToOneConsents(
  language: Language,
  companyName: string,
): Record<
  'PhoneAndBuyersConsent' | 'PhoneAbbreviatedTCPA',
  { version: string; language: Language; text: string }
> {
  const file = oneToOneConsentFiles.at(-1) ?? oneToOneConsentFiles[0];
  const shown = (kind: 'buyers' | 'abbreviated') => ({
    version: oneToOneVersion(file, kind),
    language,
    text: filled(file[kind][language], companyName),
  });
  return { PhoneAndBuyersConsent: shown('buyers'), PhoneAbbreviatedTCPA: shown('abbreviated') };
}

/**
 * The fixed statement that is posted in place of the text as seen
 * (docs/specification.md#one-to-one-consent): it says no more than what was shown. `abbreviated`: there
 * were no buyers to choose from.
 */
export function oneToOneStatement(
  shown: 'buyers' | 'abbreviated',
  language: Language,
  companyName: string,
): string {
  const file = oneToOneConsentFiles.at(-1) ?? oneToOneConsentFiles[0];
  return filled(file.statement[shown][language], companyName);
}

/** Every text that was ever shown as consent, under each of the company's names. */
export function publishedConsents(companyNames: readonly string[]): readonly PublishedConsent[] {
  const texts: PublishedConsent[] = [];
  const publish = (
    file: ConsentFile | OneToOneConsentFile,
    kind: ConsentKind,
    version: string,
    wording: Readonly<Record<Language, string>>,
  ) => {
    for (const language of Object.keys(wording) as Language[]) {
      for (const name of companyNames) {
        const text = filled(wording[language], name);
        texts.push({ version, kind, language, text, published: file.version });
      }
    }
  };
  for (const file of consentFiles) publish(file, 'general', file.version, file.text);
  for (const file of oneToOneConsentFiles) {
    for (const kind of ['buyers', 'abbreviated'] as const) {
      publish(file, kind, oneToOneVersion(file, kind), file[kind]);
    }
  }
  return texts;
}

function oneToOneVersion(file: OneToOneConsentFile, kind: 'buyers' | 'abbreviated'): string {
  return `${file.version} ${kind}`;
}

function filled(wording: string, companyName: string): string {
  return wording.replaceAll('{company}', () => companyName);
}
