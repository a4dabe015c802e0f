import { type AskedField, askedFields } from '../../domain/asked-fields.ts';
import type { Language } from '../../domain/language.ts';

type YesNo = { readonly yes: string; readonly no: string };

/** Returns the words of the answers of every field that is answered with yes or no. */
export function yesOrNo(words: YesNo): Readonly<Record<string, YesNo>> {
  const fields: [string, AskedField][] = Object.entries(askedFields);
  const asked = fields.filter(([, { values = [] }]) => [...values].sort().join() === 'no,yes');
  return Object.fromEntries(asked.map(([name]) => [name, words]));
}

/** Returns the errors of a field whose only mistake is a missing choice. */
export function chosen(sentence: string) {
  return { required: sentence, invalid: sentence };
}

/** Returns the names of January to December. */
export function monthNames(language: Language): string[] {
  return Array.from({ length: 12 }, (_, month) =>
    new Date(Date.UTC(2026, month)).toLocaleString(language, { month: 'long', timeZone: 'UTC' }),
  );
}
