/** The consent texts of the tests' visitors. They must be published ones, or the lead is held. */
import {
  currentConsent,
  oneToOneConsents,
  publishedConsents,
} from '../../content/consent/index.ts';
import { type ConsentKind, indexConsents } from '../../src/domain/consent.ts';
import type { Language } from '../../src/domain/language.ts';
import type { Survey } from '../../src/flows/surveys.ts';

/** The default of COMPANY_NAME. */
const COMPANY_NAME = 'Your Claim Guide';

/** Every text published under the default name. */
export const testConsents = indexConsents(publishedConsents([COMPANY_NAME]));

/**
 * Returns the two consent fields of a post, for a current consent text: the text and its version.
 */
export function publishedTcpa(
  kind: ConsentKind = 'general',
  language: Language = 'en',
): { tcpa: string; consent_version: string } {
  const shown = oneToOneConsents(language, COMPANY_NAME);
  const { text, version } = {
    general: currentConsent(language, COMPANY_NAME),
    ticket: currentConsent(language, COMPANY_NAME, 'ticket'),
    buyers: shown.PhoneAndBuyersConsent,
    abbreviated: shown.PhoneAbbreviatedTCPA,
  }[kind];
  return { tcpa: text, consent_version: version };
}

/** Returns the consent that a page of this survey shows if it has no fetched buyers. */
export function tcpaOf({ buyers, language, flow }: Pick<Survey, 'buyers' | 'language' | 'flow'>) {
  const usual = flow === 'ticket' ? 'ticket' : 'general';
  const kind = buyers === undefined ? usual : buyers === 'fetched' ? 'abbreviated' : 'buyers';
  return publishedTcpa(kind, language);
}
