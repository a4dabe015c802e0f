/** A buyer's hours and the periods of its caps, in its own time zone. */
import { calendarDate, formatIso } from '../fields/dates.ts';
import type { BuyerTerms, Cap } from './buyer-terms.ts';

/** The period of a cap. `until` is undefined if it never ends. */
export type Period = { readonly from: Date; readonly until: Date | undefined };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS_OF_WEEK = 7;

/** Returns the current period of a cap. Weeks begin on Monday. @throws RangeError for an unknown time zone */
export function periodOf(per: Cap['per'], timeZone: string, now: Date): Period {
  const { year, month, day } = calendarDate(now, timeZone);
  const between = (from: number, until: number) => ({
    from: new Date(instantOf(from, timeZone)),
    until: new Date(instantOf(until, timeZone)),
  });
  switch (per) {
    case 'hour': {
      const from = now.getTime() - ((now.getTime() + offsetMs(now, timeZone)) % HOUR_MS);
      return { from: new Date(from), until: new Date(from + HOUR_MS) };
    }
    case 'day':
      return between(Date.UTC(year, month - 1, day), Date.UTC(year, month - 1, day + 1));
    case 'week': {
      const monday = day + 1 - weekday(Date.UTC(year, month - 1, day));
      return between(Date.UTC(year, month - 1, monday), Date.UTC(year, month - 1, monday + 7));
    }
    case 'month':
      return between(Date.UTC(year, month - 1), Date.UTC(year, month));
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
