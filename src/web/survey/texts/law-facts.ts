import type { Language } from '../../../model/fields/language.ts';
import { limitationTable, presentYears } from '../../../model/rules/limitation.ts';

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

/** Formats a period in the largest unit that divides it: years, months or days. */
export function periodText(days: number, language: Language): string {
  const years = Math.round(days / 365.25);
  if (years >= 1 && Math.abs(days - years * 365.25) <= 1) return yearsText(years, language);
  return days > 60
    ? unitText(Math.round(days / 30.4375), 'month', language)
    : unitText(days, 'day', language);
}

/** Returns the shortest and longest time limit to sue in any US state, as text. */
export function limitsText(language: Language): { shortest: string; longest: string } {
  const years = limitationTable.map(presentYears);
  return {
    shortest: yearsText(Math.min(...years), language),
    longest: yearsText(Math.max(...years), language),
  };
}
