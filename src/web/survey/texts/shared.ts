import type { FieldError } from '../../../model/fields/field-rules.ts';
import type { Language } from '../../../model/fields/language.ts';
import type { Stage } from '../../../model/flows/engine/flow.ts';

/** One text in English, and in American Spanish with the form of address `usted`. */
export type Both = Readonly<Record<Language, string>>;

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

/** The texts of one step. `choices`, `labels` and `required` replace the usual texts. */
export type StepTexts = {
  readonly question: string;
  readonly help?: string;
  readonly submit?: string;
  /** The label of the submit button if no law firm is chosen. */
  readonly submitWithoutFirm?: string;
  readonly choices?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** The errors of fields without an answer. */
  readonly required?: Readonly<Record<string, string>>;
  readonly notes?: Readonly<Record<string, string>>;
  /** The promises of a start screen, by icon id (survey-icons.tsx). */
  readonly promises?: Readonly<Record<string, string>>;
};

/** The texts of one field. `errors` has one short sentence for each possible error. */
export type FieldTexts = {
  readonly label: string;
  readonly hint?: string;
  readonly waiting?: string;
  /** The drop-down's option for no answer. Default: `controls.choose`. */
  readonly empty?: string;
  readonly ofOne?: { readonly question: string; readonly yes: string; readonly no: string };
  readonly errors: Readonly<Partial<Record<FieldError, string>>>;
};

/** The texts of all questions. */
export type QuestionTexts = {
  readonly steps: Readonly<Record<string, StepTexts | undefined>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  readonly fields: Readonly<Record<string, FieldTexts | undefined>>;
  readonly stages: Readonly<Record<Stage, string>>;
  /** Labels of the compensation levels 1 to 7 (docs/specification.md#compensation-estimator). */
  readonly levels: readonly string[];
};

export type ListTexts = { readonly title: string; readonly items: readonly string[] };

/** Replaces each `{name}` in a text by its value. A `{name}` without a value stays. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/** Returns the error texts of a field whose only possible error is that nothing was chosen. */
export function chosen<Text>(sentence: Text) {
  return { required: sentence, invalid: sentence };
}

export function list<Text>(title: Text, ...items: Text[]) {
  return { title, items };
}
