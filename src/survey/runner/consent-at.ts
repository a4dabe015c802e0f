import type { ConsentText } from '../../contract/site-settings.ts';
import type { SurveyPageData } from '../page/page-data.ts';

/** The consent text that a step shows: its own, where the survey has one for it, or the survey's. */
export function consentAt(
  { consent, stepConsents }: Pick<SurveyPageData, 'consent' | 'stepConsents'>,
  step: string,
): ConsentText {
  return stepConsents?.[step] ?? consent;
}
