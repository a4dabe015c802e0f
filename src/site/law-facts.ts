import type { Language } from '../domain/language.ts';
import { type LimitationRow, limitationTable } from '../domain/limitation.ts';
import type { LimitationChoice } from '../domain/limitation-years.ts';

/**
 * What pages say about the time to sue. It comes from the one table that also decides about leads
 * (docs/specification.md#statute-of-limitations). A page always states the present law, whatever the
 * survey counts by, and says where the two differ.
 */

/** A state as a page shows it. */
export type StateDeadline = {
  readonly code: string;
  readonly name: string;
  /** By the present law. */
  readonly years: number;
  /** The first day of accidents that `years` holds for, `2023-03-24`; absent: it has long been so. */
  readonly since?: string;
  /** What held before that day, in years. */
  readonly before?: number;
  /** Where the present law is written, for states whose law has moved. */
  readonly source?: string;
  /** What the survey counts, where that is another number. */
  readonly surveyYears?: number;
};

function deadline(row: LimitationRow, surveyCounts: LimitationChoice): StateDeadline {
  const { code, name, years, present } = row;
  if (!present) return { code, name, years };
  const { since } = present;
  const pad = (part: number) => String(part).padStart(2, '0');
  return {
    code,
    name,
    years: present.years,
    source: present.source,
    ...(since && {
      since: `${since.year}-${pad(since.month)}-${pad(since.day)}`,
      before: years,
    }),
    ...(surveyCounts === 'coded' && years !== present.years && { surveyYears: years }),
  };
}

/** All states and DC by name. */
export function stateDeadlines(surveyCounts: LimitationChoice): readonly StateDeadline[] {
  return limitationTable
    .map((row) => deadline(row, surveyCounts))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** "2 years", "1 año". */
export function yearsText(years: number, language: Language): string {
  return new Intl.NumberFormat(language === 'es' ? 'es-US' : 'en-US', {
    style: 'unit',
    unit: 'year',
    unitDisplay: 'long',
  }).format(years);
}

/** A day in words: "November 22, 2026". */
export function dayText(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(language === 'es' ? 'es-US' : 'en-US', {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${iso}T00:00:00Z`));
}

/** A number of days as people say it: whole years where they are, else days. */
export function keptText(days: number, language: Language): string {
  const years = Math.round(days / 365.25);
  if (years >= 1 && Math.abs(days - years * 365.25) <= 1) return yearsText(years, language);
  const months = Math.round(days / 30.4375);
  const [value, unit] = days > 60 ? [months, 'month'] : [days, 'day'];
  return new Intl.NumberFormat(language === 'es' ? 'es-US' : 'en-US', {
    style: 'unit',
    unit: String(unit),
    unitDisplay: 'long',
  }).format(Number(value));
}

/** The least and the most that any state gives by the present law, as text. */
export function limitsText(language: Language): { shortest: string; longest: string } {
  const years = stateDeadlines('present').map((state) => state.years);
  return {
    shortest: yearsText(Math.min(...years), language),
    longest: yearsText(Math.max(...years), language),
  };
}
