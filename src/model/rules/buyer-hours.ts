/** A buyer's hours and the periods of its caps, in its own time zone. */
import { addDays, type CalendarDate, calendarDate, formatIso } from '../fields/dates.ts';
import type { BuyerTerms, Cap } from './buyer-terms.ts';

/** The period of a cap. `until` is undefined if it never ends. */
export type Period = { readonly from: Date; readonly until: Date | undefined };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS_OF_WEEK = 7;

/** Returns the current period of a cap. Weeks begin on Monday. @throws RangeError for an unknown time zone */
export function periodOf(per: Cap['per'], timeZone: string, now: Date): Period {
  const today = calendarDate(now, timeZone);
  const days = (from: CalendarDate, until: CalendarDate) => ({
    from: startOf(from, timeZone),
    until: startOf(until, timeZone),
  });
  switch (per) {
    case 'hour': {
      const intoHourMs = (now.getTime() + offsetMs(now, timeZone)) % HOUR_MS;
      const from = now.getTime() - intoHourMs;
      return { from: new Date(from), until: new Date(from + HOUR_MS) };
    }
    case 'day':
      return days(today, addDays(today, 1));
    case 'week': {
      const monday = addDays(today, 1 - weekday(today));
      return days(monday, addDays(monday, DAYS_OF_WEEK));
    }
    case 'month': {
      const { year, month } = today;
      const next = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
      return days({ year, month, day: 1 }, { ...next, day: 1 });
    }
    case 'total':
      return { from: new Date(0), until: undefined };
  }
}

/** Returns the first time, from `after` on, within a buyer's hours. Returns `after` itself if the buyer is open then. */
export function nextOpening(
  { hours, timeZone }: Pick<BuyerTerms, 'hours' | 'timeZone'>,
  after: Date,
): Date {
  if (hours.length === 0) return after;
  const today = calendarDate(after, timeZone);
  const openings: number[] = [];
  for (let ahead = 0; ahead <= DAYS_OF_WEEK; ahead += 1) {
    const date = addDays(today, ahead);
    for (const { days, from, until } of hours) {
      if (!days.includes(weekday(date))) continue;
      const end = instantOf(date, until, timeZone);
      if (end <= after.getTime()) continue;
      openings.push(Math.max(after.getTime(), instantOf(date, from, timeZone)));
    }
  }
  return new Date(Math.min(...openings));
}

/** Returns the day of a moment in a time zone, as `yyyy-MM-dd`. */
export const localDay = (at: Date, timeZone: string) => formatIso(calendarDate(at, timeZone));

/** Returns the day of the week, from 1 (Monday) to 7. */
function weekday({ year, month, day }: CalendarDate): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() || DAYS_OF_WEEK;
}

const startOf = (date: CalendarDate, timeZone: string) =>
  new Date(instantOf(date, '00:00', timeZone));

/** Returns the moment of a local time in milliseconds. */
function instantOf({ year, month, day }: CalendarDate, time: string, timeZone: string): number {
  const [hour, minute] = time.split(':').map(Number);
  const local = Date.UTC(year, month - 1, day, hour, minute);
  const guess = local - offsetMs(new Date(local), timeZone);
  // The clocks may change between the local time, read as UTC, and the moment.
  return local - offsetMs(new Date(guess), timeZone);
}

/** Caches the formatter of each time zone, because creating a formatter is slow. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns by how many milliseconds a time zone's clocks are ahead of UTC. */
function offsetMs(at: Date, timeZone: string): number {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formatters.set(timeZone, formatter);
  const name = formatter.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
}
