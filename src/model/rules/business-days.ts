import { addDays, type CalendarDate, formatIso } from '../fields/dates.ts';

const isBusinessDay = ({ year, month, day }: CalendarDate) =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay() % 6 !== 0;

/** Returns the day that is `days` business days later. Holidays count as business days. */
export function addBusinessDays(from: CalendarDate, days: number): CalendarDate {
  let day = from;
  for (let left = days; left > 0; ) {
    day = addDays(day, 1);
    if (isBusinessDay(day)) left -= 1;
  }
  return day;
}

/** Returns the number of business days from `from` to `to`; negative if `to` is earlier. */
export function businessDaysUntil(from: CalendarDate, to: CalendarDate): number {
  const direction = formatIso(to) < formatIso(from) ? -1 : 1;
  let days = 0;
  for (let at = from; formatIso(at) !== formatIso(to); ) {
    at = addDays(at, direction);
    if (isBusinessDay(at)) days += direction;
  }
  return days;
}
