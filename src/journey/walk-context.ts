import type { CalendarDate } from '../domain/dates.ts';
import type { WalkContext } from '../flows/engine/walk.ts';
import type { JourneyData } from './data.ts';
import type { Visit } from './visit.ts';

/**
 * What walking the survey's flow needs beside the answers.
 *
 * @param visit whose state may yet be found; without it: none is known
 */
export function walkContext(
  data: Pick<JourneyData, 'facts' | 'settings'>,
  today: CalendarDate,
  visit?: Pick<Visit, 'state'>,
): WalkContext {
  return {
    today,
    survey: data.facts,
    settings: { dateOfBirthStates: data.settings.dateOfBirthStates },
    get state() {
      return visit?.state;
    },
  };
}
