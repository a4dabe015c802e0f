/** A day of the Gregorian calendar. `month` is 1 to 12. */
export type CalendarDate = { readonly year: number; readonly month: number; readonly day: number };

/** Caches the formatter of each time zone, because creating a formatter is slow. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}

/** Returns the day of a moment in a time zone. @throws RangeError for an unknown time zone */
export function calendarDate(now: Date, timeZone: string): CalendarDate {
  const parts = formatterOf(timeZone).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((each) => each.type === type)?.value);
  return { year: part('year'), month: part('month'), day: part('day') };
}

const DAY_MS = 86_400_000;

function dayNumber({ year, month, day }: CalendarDate): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS;
}

function fromDayNumber(days: number): CalendarDate {
  const date = new Date(days * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function daysInMonth(year: number, month: number): number {
  return fromDayNumber(dayNumber({ year, month: month + 1, day: 0 })).day;
}

/** Returns whether the date exists in the years 1 to 9999. */
export function isRealDate(date: CalendarDate): boolean {
  const { year, month, day } = date;
  const real = fromDayNumber(dayNumber(date));
  const exists = real.year === year && real.month === month && real.day === day;
  return exists && year >= 1 && year <= 9999;
}

/** Returns the number of days from `from` to `to`, negative if `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** Returns the complete months from `from` to `to` (docs/specification.md#accident-date). */
export function monthsBetween(from: CalendarDate, to: CalendarDate): number {
  if (daysBetween(from, to) < 0) {
    const swapped = monthsBetween(to, from);
    return swapped === 0 ? 0 : -swapped;
  }
  const months = (to.year - from.year) * 12 + (to.month - from.month);
  const dayOfCompletion = Math.min(from.day, daysInMonth(to.year, to.month));
  return to.day < dayOfCompletion ? months - 1 : months;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return fromDayNumber(dayNumber(date) + days);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Formats a day as `yyyy-MM-dd`. */
export function formatIso({ year, month, day }: CalendarDate): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** Formats a day as `MM/DD/YYYY`. */
export function formatUs({ year, month, day }: CalendarDate): string {
  return `${pad(month, 2)}/${pad(day, 2)}/${pad(year, 4)}`;
}

function realDate(year: string, month: string, day: string): CalendarDate | undefined {
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  return isRealDate(date) ? date : undefined;
}

/** Parses `yyyy-MM-dd`. Returns undefined for an invalid date. */
export function parseIso(text: string): CalendarDate | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match ? realDate(match[1]!, match[2]!, match[3]!) : undefined;
}

/** Parses `MM/DD/YYYY`. Returns undefined for an invalid date. */
export function parseUs(text: string): CalendarDate | undefined {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  return match ? realDate(match[3]!, match[1]!, match[2]!) : undefined;
}

/** Returns the day that is `days` business days later. Holidays count as business days. */
export function addBusinessDays(from: CalendarDate, days: number): CalendarDate {
  if (days === 0) return from;
  const next = addDays(from, 1);
  const isWeekend = [0, 6].includes(new Date(formatIso(next)).getUTCDay());
  return addBusinessDays(next, isWeekend ? days : days - 1);
}
