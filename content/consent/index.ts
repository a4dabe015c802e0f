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
  return {
    version: file.version,
    language,
    text: file.text[language].replaceAll('{company}', companyName),
  };
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
    version: `${file.version} ${kind}`,
    language,
    text: file[kind][language].replaceAll('{company}', companyName),
  });
  return { PhoneAndBuyersConsent: shown('buyers'), PhoneAbbreviatedTCPA: shown('abbreviated') };
}

/**
 * The fixed statement that is posted in place of the text as seen (document 2, section 4): it says no
 * more than what was shown. `abbreviated`: there were no buyers to choose from.
 */
export function oneToOneStatement(
  shown: 'buyers' | 'abbreviated',
  language: Language,
  companyName: string,
): string {
  const file = oneToOneConsentFiles.at(-1) ?? oneToOneConsentFiles[0];
  return file.statement[shown][language].replaceAll('{company}', companyName);
}
