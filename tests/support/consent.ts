/**
 * The consent texts that the tests use. The server holds a lead whose consent text is not
 * published.
 */
import {
  currentConsent,
  oneToOneConsents,
  publishedConsents,
} from '../../content/consent/index.ts';
import type { Language } from '../../src/model/fields/language.ts';
import type { Survey } from '../../src/model/flows/surveys.ts';
import { type ConsentKind, indexConsents } from '../../src/model/lead/consent.ts';
import { namingFirms } from '../../src/model/rules/buyer-choice.ts';

/** The default of the setting COMPANY_NAME. */
const COMPANY_NAME = 'Your Claim Guide';

/** Every consent text that is published under the default company name, before the tests' clock. */
export const testConsents = indexConsents(
  publishedConsents([COMPANY_NAME]).map((each) => ({ ...each, published: '2026-11-20' })),
);

/** The law firms that the sandbox's buyers service returns. */
const sandboxFirms = ['Sandbox Law Group', 'Example Injury Attorneys'];

/** Returns the consent fields of a post. The consent text names `firms`. */
export function publishedTcpa(
  kind: ConsentKind = 'general',
  language: Language = 'en',
  firms: readonly string[] = sandboxFirms,
): { tcpa: string; consent_version: string } {
  const shown = oneToOneConsents(language, COMPANY_NAME);
  const { text, version } = {
    general: currentConsent(language, COMPANY_NAME),
    ticket: currentConsent(language, COMPANY_NAME, 'ticket'),
    contact: currentConsent(language, COMPANY_NAME, 'contact'),
    buyers: firms.length === 1 ? shown.oneBuyer : shown.PhoneAndBuyersConsent,
    abbreviated: shown.PhoneAbbreviatedTCPA,
  }[kind];
  const named = namingFirms(text, firms.join('|'));
  return { tcpa: named, consent_version: version };
}

/** Returns the consent fields that a survey's page posts. */
export function tcpaOf({ buyers, language, flow }: Pick<Survey, 'buyers' | 'language' | 'flow'>) {
  const usual = flow === 'ticket' ? 'ticket' : 'general';
  const kind = buyers === undefined ? usual : buyers === 'fetched' ? 'abbreviated' : 'buyers';
  const firms = Array.isArray(buyers) ? buyers.map(({ name }) => name) : undefined;
  return publishedTcpa(kind, language, firms);
}
