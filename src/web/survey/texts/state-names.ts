import type { Language } from '../../../model/fields/language.ts';
import { limitationTable } from '../../../model/rules/limitation.ts';

/** States whose Spanish name is another; all others are called the same in both languages. */
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

/** The fifty states and DC: two-letter code to name, sorted by name in the language. */
export function stateNames(language: Language): Record<string, string> {
  const named = limitationTable.map(({ code, name }): [string, string] => [
    code,
    (language === 'es' && spanish[code]) || name,
  ]);
  return Object.fromEntries(named.sort(([, a], [, b]) => a.localeCompare(b, language)));
}
