import type { Answers } from '../../domain/answers.ts';
import { type CalendarDate, daysInMonth } from '../../domain/dates.ts';
import type { Option } from './field.tsx';

/** How many years before this one the accident's year list goes back. */
export const ACCIDENT_YEARS_BACK = 15;

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** The twelve months, with the names of the language. */
export function monthOptions(names: readonly string[]): Option[] {
  return names.map((label, index) => [twoDigits(index + 1), label]);
}

/** This year and the years before it, newest first. */
export function yearOptions(today: CalendarDate): Option[] {
  return Array.from({ length: ACCIDENT_YEARS_BACK + 1 }, (_, back) => {
    const year = String(today.year - back);
    return [year, year];
  });
}

/**
 * The days of the month that was chosen: only days that exist and, where year and month are today's,
 * that have come. All 31 while the month is not known; 29 for a February whose year is not known.
 */
export function dayOptions(month: string, year: string, today?: CalendarDate): Option[] {
  const isThisMonth =
    today !== undefined && Number(month) === today.month && Number(year) === today.year;
  const count = isThisMonth ? today.day : daysInMonth(Number(year) || 2000, Number(month) || 1);
  return Array.from({ length: count }, (_, index) => [twoDigits(index + 1), String(index + 1)]);
}

/** The days for the parts of a date that were chosen so far. */
export function accidentDays(values: Answers, today: CalendarDate): Option[] {
  return dayOptions(values.injury_month ?? '', values.injury_year ?? '', today);
}
