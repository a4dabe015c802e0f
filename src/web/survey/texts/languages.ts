import type { Language } from '../../../model/fields/language.ts';

/** One text in English, and in American Spanish with the form of address `usted`. */
type Both = Readonly<Record<Language, string>>;

/** The structure of `Words` with both languages of each text. */
export type InBoth<Words> = Words extends string
  ? Both
  : { readonly [Key in keyof Words]: InBoth<Words[Key]> };

/** The structure of `Words` with one language of each text. */
export type InOne<Words> = Words extends Both
  ? string
  : { readonly [Key in keyof Words]: InOne<Words[Key]> };

export function both(en: string, es: string): Both {
  return { en, es };
}

/** Returns texts in one language. */
export function inOne<Words>(words: Words, language: Language): InOne<Words> {
  const one = (value: object): unknown => {
    if ('en' in value && 'es' in value) return value[language];
    if (Array.isArray(value)) return value.map(one);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, one(each)]));
  };
  return one(words as object) as InOne<Words>;
}
