import type { ShownConsent } from '../page/consent-html.ts';
import type { SurveyPageData } from '../page/page-data.ts';

/** The consent text that a step shows: its own, where the survey has one for it, or the survey's. */
export function consentAt(
  { consent, stepConsents }: Pick<SurveyPageData, 'consent' | 'stepConsents'>,
  step: string,
): ShownConsent {
  return stepConsents?.[step] ?? consent;
}
