import type { CalendarDate } from '../domain/dates.ts';
import type { WalkContext } from '../flows/engine/walk.ts';
import type { JourneyData } from './data.ts';
import type { Visit } from './visit.ts';

/**
 * Returns the inputs of a walk through the survey's flow.
 *
 * @param visit provides the initial state, read at each walk because a look-up may still set it
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
