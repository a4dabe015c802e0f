/** Decides when a buyer is open, in the buyer's time zone. */
import { calendarDate, formatIso } from '../fields/dates.ts';
import type { BuyerTerms } from './buyer-terms.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS_OF_WEEK = 7;

/** Returns the first time, from `after` on, within a buyer's hours. Returns `after` itself if the buyer is open then. */
export function nextOpening(
  { hours, timeZone }: Pick<BuyerTerms, 'hours' | 'timeZone'>,
  after: Date,
): Date {
  if (hours.length === 0) return after;
  const { year, month, day } = calendarDate(after, timeZone);
  const openings: number[] = [];
  for (let ahead = 0; ahead <= DAYS_OF_WEEK; ahead += 1) {
    const midnight = Date.UTC(year, month - 1, day + ahead);
    for (const { days, from, until } of hours) {
      const end = instantOf(midnight + timeMs(until), timeZone);
      if (!days.includes(weekday(midnight)) || end <= after.getTime()) continue;
      openings.push(Math.max(after.getTime(), instantOf(midnight + timeMs(from), timeZone)));
    }
  }
  return new Date(Math.min(...openings));
}

/** Returns the day of a moment in a time zone, as `yyyy-MM-dd`. */
export const localDay = (at: Date, timeZone: string) => formatIso(calendarDate(at, timeZone));

/** Returns the day of the week, from 1 (Monday) to 7. */
const weekday = (midnight: number) => new Date(midnight).getUTCDay() || DAYS_OF_WEEK;

/** Returns a time of day, such as `09:00`, in milliseconds. */
function timeMs(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

/** Returns the moment of a local time, which is given as if it were in UTC. Both are in milliseconds. */
function instantOf(local: number, timeZone: string): number {
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
  const [, sign = '', time = '0'] = /GMT([+-])([\d:]+)/.exec(formatter.format(at)) ?? [];
  return (sign === '-' ? -1 : 1) * timeMs(time);
}
