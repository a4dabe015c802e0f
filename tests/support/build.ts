import { calendarDate } from '../../src/model/fields/dates.ts';
import { loadSurveyTable, type SurveyEntry } from '../../src/model/flows/survey-table.ts';
import { surveys as rows } from '../../src/model/flows/surveys.ts';
import type { LeadRules } from '../../src/model/lead/context.ts';
import { testConsents } from './consent.ts';

export const testRules: LeadRules = {
  descriptionLimit: 1000,
  dateOfBirthStates: ['AL', 'NE'],
  partialFaultStates: ['NY'],
  specialStates: [],
  limitation: 'coded',
  forcesTreatment: true,
  stateRules: { changes: {}, undecided: 'deliver' },
  siteOrigin: undefined,
  oneToOneStatement: (shown, language) => `${shown} statement (${language})`,
  consents: testConsents,
};

export const testCalendar = (moment: Date) => calendarDate(moment, 'America/New_York');

/** Every survey of the site. */
export const testSurveys = await loadSurveyTable(rows);

/** Returns the survey at a path. */
export function testEntry(path: string): SurveyEntry {
  const entry = testSurveys(path);
  if (!entry) throw new Error(`There is no ${path}`);
  return entry;
}
