import { type CalendarDate, calendarDate } from '../../model/fields/dates.ts';

/** Returns the current time; replaced in tests. */
export type Clock = () => Date;

const MINUTE_MS = 60_000;

/**
 * Creates a function that returns the calendar day in a time zone. It caches the result for a minute, because the
 * time zone computation is slow. Days change only on whole minutes.
 */
export function createCalendar(timeZone: string): (moment: Date) => CalendarDate {
  let minute = Number.NaN;
  let day: CalendarDate | undefined;
  return (moment) => {
    const asked = Math.floor(moment.getTime() / MINUTE_MS);
    if (day === undefined || asked !== minute) {
      day = calendarDate(moment, timeZone);
      minute = asked;
    }
    return day;
  };
}
