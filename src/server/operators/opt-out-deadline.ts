/** By when a do-not-sell request must be honoured. */
import { addDays, type CalendarDate, daysBetween } from '../../domain/dates.ts';

/**
 * Business days after receipt within which a business must stop selling and sharing: California Code of
 * Regulations, title 11, § 7026(f). Other states allow longer (mostly 45 days), so this limit serves all.
 */
const OPT_OUT_BUSINESS_DAYS = 15;

/** 1970-01-01 was a Thursday; Saturday and Sunday are 6 and 0. */
const EPOCH: CalendarDate = { year: 1970, month: 1, day: 1 };
function isBusinessDay(date: CalendarDate): boolean {
  const weekday = (((daysBetween(EPOCH, date) + 4) % 7) + 7) % 7;
  return weekday !== 0 && weekday !== 6;
}

/**
 * Returns the last day on which a request may be honoured. Public holidays count as business days, so the
 * date is never later than the law's.
 */
export function optOutDueBy(received: CalendarDate): CalendarDate {
  let due = received;
  for (let left = OPT_OUT_BUSINESS_DAYS; left > 0; ) {
    due = addDays(due, 1);
    if (isBusinessDay(due)) left -= 1;
  }
  return due;
}

/** Returns the business days after one day until another; negative if that is before. */
export function businessDaysUntil(from: CalendarDate, to: CalendarDate): number {
  const direction = daysBetween(from, to) < 0 ? -1 : 1;
  let days = 0;
  for (let at = from; daysBetween(at, to) !== 0; ) {
    at = addDays(at, direction);
    if (isBusinessDay(at)) days += direction;
  }
  return days;
}
