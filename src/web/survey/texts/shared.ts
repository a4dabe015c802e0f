import type { FieldError } from '../../../model/fields/asked-fields.ts';
import type { Stage } from '../../../model/flows/engine/flow.ts';

type Starters = readonly (readonly [button: string, beginning: string])[];

/**
 * The words of one step. They stand under its name or, where a flow needs its own, under `<flow id>/<name>`
 * (`stepWords`). `submit` is the label of its way on, where it is not "Continue". `choices` (by `field=value`) and
 * `labels` (by field) are the step's own words for an answer or a field that is called otherwise elsewhere. `notes` (by
 * `field=value`) say what an answer means, on a result screen.
 */
export type StepTexts = {
  readonly question: string;
  readonly help?: string;
  readonly submit?: string;
  /** The label of a visitor who chooses no law firm. */
  readonly submitWithoutFirm?: string;
  readonly choices?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly notes?: Readonly<Record<string, string>>;
  /** First sentences of a description that blame another driver, each with the words of its button. */
  readonly starters?: Starters;
  /** In their place for someone on foot or on a bicycle. */
  readonly startersOnFoot?: Starters;
  /** What a start screen promises, by icon (survey-icons.tsx). */
  readonly promises?: Readonly<Record<string, string>>;
};

/** The words of one field. `errors` has one short sentence for each error that the field can have. */
export type FieldTexts = {
  readonly label: string;
  readonly hint?: string;
  /** Said while its choices are still being looked for. */
  readonly waiting?: string;
  /** A question about a single law firm, and its answers. */
  readonly ofOne?: { readonly question: string; readonly yes: string; readonly no: string };
  readonly errors: Readonly<Partial<Record<FieldError, string>>>;
};

/** The words of the questions. */
export type QuestionTexts = {
  readonly steps: Readonly<Record<string, StepTexts | undefined>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  readonly fields: Readonly<Record<string, FieldTexts | undefined>>;
  readonly stages: Readonly<Record<Stage, string>>;
  /** Labels of the compensation levels 1 to 7 (docs/specification.md#compensation-estimator). */
  readonly levels: readonly string[];
};

export type ListTexts = { readonly title: string; readonly items: readonly string[] };

/** Puts values into the `{name}` places of a text; a place without a value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/** Returns the errors of a field whose only mistake is a missing choice. */
export function chosen(sentence: string) {
  return { required: sentence, invalid: sentence };
}

export function list(title: string, ...items: string[]) {
  return { title, items };
}
