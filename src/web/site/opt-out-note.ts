import type { ContactWords } from '../../../content/forms/contact.ts';
import { optOutWords } from '../../../content/opt-out.ts';
import type { Language } from '../../model/fields/language.ts';
import type { SiteSettings } from '../../model/messages/site-settings.ts';
import { fill } from '../survey/texts/shared.ts';
import type { ThankYouTexts } from '../survey/texts/thank-you.ts';

/** Returns the note beside the button that sends a lead. */
export function optOutNote(kind: 'survey' | 'contact', language: Language, site: SiteSettings) {
  const { delivered, withheld } = optOutWords[language];
  return fill(site.withholdsAtOptOut[kind] ? withheld : delivered, { phone: site.phoneDisplay });
}

/** Removes the promise of a call from a thank-you page if law firms do not receive the lead. */
export function withheldThanks(words: ThankYouTexts, language: Language, site: SiteSettings) {
  if (!site.withholdsAtOptOut.survey) return words;
  const { withheldTitle, withheldLead, withheldSteps } = optOutWords[language];
  return {
    ...words,
    qualifiedTitle: withheldTitle,
    qualifiedLead: withheldLead,
    caller: withheldSteps.map((step) => fill(step, { phone: site.phoneDisplay })).join(' '),
    ownNumber: '',
    // No law firm will call, so the page omits the questions to prepare for.
    asked: undefined,
  };
}

/** Removes the promise of an answer from the contact page if law firms do not receive the lead. */
export function withheldContact(words: ContactWords, language: Language, site: SiteSettings) {
  if (!site.withholdsAtOptOut.contact) return words;
  const { withheldLead: sentText, withheldSteps: sentNext } = optOutWords[language];
  return { ...words, next: optOutNote('contact', language, site), sentText, sentNext };
}

/** Returns the privacy policy's text about leads whose browser sent the opt-out signal. */
export function optOutPolicy(language: Language, site: SiteSettings): string {
  const { survey, contact } = site.withholdsAtOptOut;
  const { policyDelivered, policyWithheld } = optOutWords[language];
  return survey && contact ? policyWithheld : policyDelivered;
}
