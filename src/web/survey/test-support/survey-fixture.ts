import type { CalendarDate } from '../../../model/fields/dates.ts';
import type { Language } from '../../../model/fields/language.ts';
import { flowOf, type Survey, surveyAt, surveys } from '../../../model/flows/surveys.ts';
import { v4 } from '../../../model/flows/variants/v4.ts';
import type { ZipAnswer } from '../../../model/messages/checks.ts';
import type { ScriptSettings } from '../../../model/messages/script-declarations.ts';
import type { SiteSettings } from '../../../model/messages/site-settings.ts';
import { surveyPageData } from '../page/page-data.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';

export const today: CalendarDate = { year: 2026, month: 11, day: 20 };

export const unsetScripts: ScriptSettings = {
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
  preselectsFirms: true,
  callHours: { en: 'Every day, 8 am to 8 pm', es: 'Todos los días, de 8 a 8' },
  publisher: { entity: '', address: '', founderName: '', founderNote: { en: '', es: '' } },
  contactEmail: 'help@example.com',
  descriptionLimit: 1000,
  partnerUrl: 'https://partner.example/click?c=7',
  dateOfBirthStates: ['AL', 'NE'],
  asksVisitorState: false,
  partialFaultStates: ['TX'],
  partnerClosedStates: ['NY'],
  stateRules: { changes: {}, undecided: 'deliver' },
  limitation: 'coded',
  forcesTreatment: true,
  compensationMultipliers: { accident_type: { 'Truck Accident': 0.4 } },
  prefill: false,
  withholdsAtOptOut: { survey: false, contact: false },
  scripts: unsetScripts,
};

export const consent = { version: '2026-11-20', language: 'en', text: 'I agree.' } as const;

export const dallas: ZipAnswer = {
  zip: '75201',
  city: 'Dallas',
  state: 'TX',
  state_long: 'Texas',
  county: 'Dallas',
};

/** The answers of the steps before the ZIP code in a one-to-one survey. */
export const beforeZip = {
  StartPath: { accident_type: 'Car Accident' },
  WhenWasTheAccident: { injury_month: '05', injury_year: '2026' },
  AtFault: { at_Fault: 'no' },
  WasUserInjured: { physical_injury: 'No' },
  PoliceReportFiled: { police_report: 'yes' },
  HasLawyer: { with_Lawyer: 'no' },
  IncidentDescription: { case_description: 'I was hit from behind at a light.' },
} as const;

export const buyers = [
  { name: 'Smith, Jones & Co', ids: ['50001', '50009'] },
  { name: 'Diaz Law', ids: ['50002'] },
];

/** Returns the data of a v4 survey page. */
export function pageData(
  language: Language = 'en',
  change: { survey?: Partial<Survey>; settings?: Partial<SiteSettings> } = {},
): SurveyPageData {
  const path = language === 'es' ? '/survey/v4nv-es' : '/survey/v4nv';
  const survey = { ...(surveyAt(path) as Survey), ...change.survey };
  return surveyPageData(
    survey,
    v4,
    { ...settings, ...change.settings },
    { ...consent, language },
    today,
  );
}

/** Returns the page data of a survey, found by its path or its flow. */
export async function pageDataOf(
  name: string,
  {
    language,
    stepConsents,
  }: { language?: Language; stepConsents?: Parameters<typeof surveyPageData>[5] } = {},
): Promise<SurveyPageData> {
  const found = surveyAt(name) ?? surveys.find(({ flow }) => flow === name);
  if (!found) throw new Error(`There is no survey ${name}`);
  const survey = { ...found, ...(language && { language }) };
  return surveyPageData(survey, await flowOf(survey), settings, consent, today, stepConsents);
}
