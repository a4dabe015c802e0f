import type { Language } from '../../src/domain/language.ts';
import { consent20261120 } from './2026-11-20.ts';
import type { ConsentFile } from './consent-file.ts';

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
