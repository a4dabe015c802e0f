import type { ScriptSettings } from '../../contract/script-declarations.ts';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { CalendarDate } from '../../domain/dates.ts';
import type { Language } from '../../domain/language.ts';
import { type Survey, surveyAt } from '../../flows/surveys.ts';
import { v4 } from '../../flows/variants/v4.ts';
import { surveyPageData } from '../page/page-data.ts';
import type { SurveyPageData } from '../screens/page-data.ts';

export const today: CalendarDate = { year: 2026, month: 11, day: 20 };

/** A site on which no script of a third party is set. */
export const noScripts: ScriptSettings = {
  pixel: '',
  caseWorth: '',
  caseWorthFacebook: '',
  ticket: '',
  adPixel: '',
  trustedForm: '',
  leadid: '',
  moreHosts: {},
};

export const settings: SiteSettings = {
  companyName: 'Claim Guide',
  phoneDisplay: '(555) 010-0199',
  phoneHref: 'tel:+15550100199',
  choiceWaitMinutes: 10,
  callHours: { en: 'Every day, 8 am to 8 pm', es: 'Todos los días, de 8 a 8' },
  contactEmail: 'help@example.com',
  descriptionLimit: 1000,
  partnerUrl: 'https://partner.example/click?c=7',
  dateOfBirthStates: ['AL', 'NE'],
  asksVisitorState: false,
  partialFaultStates: ['TX'],
  partnerClosedStates: ['NY'],
  limitation: 'coded',
  compensationMultipliers: { accident_type: { 'Truck Accident': 0.4 } },
  prefill: false,
  withholdsAtOptOut: { survey: false, contact: false },
  scripts: noScripts,
};

/** The data of a v4 survey page, for tests. */
export function pageData(
  language: Language = 'en',
  change: { survey?: Partial<Survey>; settings?: Partial<SiteSettings> } = {},
): SurveyPageData {
  const path = language === 'es' ? '/survey/v4nv-es' : '/survey/v4nv';
  const survey = { ...(surveyAt(path) as Survey), ...change.survey };
  const consent = { version: '2026-11-20', language, text: 'I agree to be called.' };
  return surveyPageData(survey, v4, { ...settings, ...change.settings }, consent, today);
}
