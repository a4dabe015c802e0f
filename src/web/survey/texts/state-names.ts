import type { Language } from '../../../model/fields/language.ts';
import { limitationTable } from '../../../model/rules/limitation.ts';

/** Spanish names of US states that differ from the English names. */
const spanish: Readonly<Record<string, string>> = {
  DC: 'Distrito de Columbia',
  HI: 'Hawái',
  LA: 'Luisiana',
  MI: 'Míchigan',
  MS: 'Misisipi',
  MO: 'Misuri',
  NH: 'Nuevo Hampshire',
  NJ: 'Nueva Jersey',
  NM: 'Nuevo México',
  NY: 'Nueva York',
  NC: 'Carolina del Norte',
  ND: 'Dakota del Norte',
  OR: 'Oregón',
  PA: 'Pensilvania',
  SC: 'Carolina del Sur',
  SD: 'Dakota del Sur',
  WV: 'Virginia Occidental',
};

/** Returns the name of a US state or DC. Unknown codes are returned as they are. */
export function stateName(language: Language, code: string): string {
  const name = limitationTable.find((row) => row.code === code)?.name ?? code;
  return (language === 'es' && spanish[code]) || name;
}

/** Returns the fifty states and DC by two-letter code, sorted by their names in the language. */
export function stateNames(language: Language): Record<string, string> {
  const named = limitationTable.map(({ code }) => [code, stateName(language, code)] as const);
  return Object.fromEntries(named.sort(([, a], [, b]) => a.localeCompare(b, language)));
}
