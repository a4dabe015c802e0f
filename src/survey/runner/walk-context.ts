import type { CalendarDate } from '../../domain/dates.ts';
import type { WalkContext } from '../../flows/engine/walk.ts';
import type { SurveyPageData } from '../page/page-data.ts';

/** What walking the survey's flow needs beside the answers. */
export function walkContext(
  data: Pick<SurveyPageData, 'facts' | 'settings'>,
  today: CalendarDate,
): WalkContext {
  return {
    today,
    survey: data.facts,
    settings: { dateOfBirthStates: data.settings.dateOfBirthStates },
  };
}
