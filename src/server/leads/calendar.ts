import { type CalendarDate, calendarDate } from '../../domain/dates.ts';

const MINUTE_MS = 60_000;

/**
 * The calendar day in a time zone. Asking the system's time zone data takes longer than all rules
 * together, so the last minute's result is kept: zones change their day on whole minutes only.
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
