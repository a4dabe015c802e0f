import { formatIso } from '../../model/fields/dates.ts';
import type { Language } from '../../model/fields/language.ts';
import { type LimitationRow, limitationTable } from '../../model/rules/limitation.ts';
import type { LimitationChoice } from '../../model/rules/limitation-years.ts';

/**
 * A state's deadline to sue, from the table that also decides about leads
 * (docs/specification.md#statute-of-limitations). Pages state the present law, and name the survey's limit if it
 * differs.
 */
export type StateDeadline = {
  readonly code: string;
  readonly name: string;
  /** By the present law. */
  readonly years: number;
  /** `years` apply to accidents from this day, `2023-03-24`; absent if to all accidents. */
  readonly since?: string;
  /** The limit in years before that day. */
  readonly before?: number;
  /** The act or statute, for states whose law changed. */
  readonly source?: string;
  /** The survey's limit, if it differs. */
  readonly surveyYears?: number;
};

function deadline(row: LimitationRow, surveyCounts: LimitationChoice): StateDeadline {
  const { code, name, years, present } = row;
  if (!present) return { code, name, years };
  const { since, source } = present;
  return {
    code,
    name,
    years: present.years,
    source,
    ...(since && { since: formatIso(since), before: years }),
    ...(surveyCounts === 'coded' && years !== present.years && { surveyYears: years }),
  };
}

/** Returns the deadlines of the 50 states and DC, sorted by name. */
export function stateDeadlines(surveyCounts: LimitationChoice): readonly StateDeadline[] {
  return limitationTable
    .map((row) => deadline(row, surveyCounts))
    .sort((a, b) => a.name.localeCompare(b.name));
}

function unitText(value: number, unit: 'year' | 'month' | 'day', language: Language): string {
  return value.toLocaleString(`${language}-US`, { style: 'unit', unit, unitDisplay: 'long' });
}

/** Formats years: "2 years", "1 año". */
export function yearsText(years: number, language: Language): string {
  return unitText(years, 'year', language);
}

/** Formats a day: "November 22, 2026". */
export function dayText(iso: string, language: Language): string {
  const style = { dateStyle: 'long', timeZone: 'UTC' } as const;
  return new Date(iso).toLocaleDateString(`${language}-US`, style);
}

/** Formats a retention period as whole years, else months, else days. */
export function periodText(days: number, language: Language): string {
  const years = Math.round(days / 365.25);
  if (years >= 1 && Math.abs(days - years * 365.25) <= 1) return yearsText(years, language);
  return days > 60
    ? unitText(Math.round(days / 30.4375), 'month', language)
    : unitText(days, 'day', language);
}

/** Returns the shortest and the longest present limit of any state, as text. */
export function limitsText(language: Language): { shortest: string; longest: string } {
  const years = stateDeadlines('present').map((state) => state.years);
  return {
    shortest: yearsText(Math.min(...years), language),
    longest: yearsText(Math.max(...years), language),
  };
}
