import type { Answers } from '../../../model/fields/answers.ts';
import { type CalendarDate, daysInMonth } from '../../../model/fields/dates.ts';
import type { Option } from './field.tsx';

/** The year list starts this many years before the present one. */
const ACCIDENT_YEARS_BACK = 15;

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

export function monthOptions(names: readonly string[]): Option[] {
  return names.map((label, index) => [twoDigits(index + 1), label]);
}

/** Returns the months to choose for the accident: none ahead in the chosen year. */
export function accidentMonths(
  { injury_year }: Answers,
  today: CalendarDate,
  names: readonly string[],
): Option[] {
  const isThisYear = Number(injury_year) === today.year;
  // Without a script, the style sheet hides what is ahead.
  return monthOptions(names)
    .slice(0, isThisYear ? today.month : 12)
    .map(([value, label], index) => [value, label, index >= today.month]);
}

/** Returns this year, unless the chosen month is ahead in it, and the years before it, newest first. */
export function accidentYears({ injury_month }: Answers, today: CalendarDate): Option[] {
  const first = today.year - Number(Number(injury_month) > today.month);
  return Array.from({ length: first - today.year + ACCIDENT_YEARS_BACK + 1 }, (_, back) => {
    const year = String(first - back);
    return [year, year];
  });
}

/**
 * Returns the existing days of the chosen month, without future days. An unknown month has 31 days, a February of an
 * unknown year 29.
 */
export function dayOptions(
  month: string | undefined,
  year: string | undefined,
  today?: CalendarDate,
): Option[] {
  const isThisMonth =
    today !== undefined && Number(month) === today.month && Number(year) === today.year;
  const count = isThisMonth ? today.day : daysInMonth(Number(year) || 2000, Number(month) || 1);
  return Array.from({ length: count }, (_, index) => [twoDigits(index + 1), String(index + 1)]);
}
