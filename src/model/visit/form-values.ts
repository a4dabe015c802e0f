import type { Answers, AskedFieldName } from '../fields/answers.ts';
import type { FieldRules } from '../fields/asked-fields.ts';
import {
  type CheckContext,
  checkValue,
  type FieldRule,
  normaliseValue,
} from '../fields/field-rules.ts';
import { isDoubtful } from '../fields/typos.ts';
import { fieldsOf, impliedBy, inputFields, type Step } from '../flows/engine/flow.ts';
import type { WalkContext } from '../flows/engine/walk.ts';
import { type Errors, isShortText, type SurveyData, type VisitState } from './state.ts';

/** Marks the draft of a visitor who continues after the notice of `early-end.ts`. No lead has this field. */
export const STILL_SEND = 'still_send' as AskedFieldName;

/** A question with more answers than this is a drop-down, not buttons. */
const MOST_TOGGLES = 4;

export function isToggled(rule: FieldRule | undefined): boolean {
  return rule?.kind === 'choice' && (rule.values?.length ?? 0) <= MOST_TOGGLES;
}

/** Normalises a step's values. Omits empty values; implied answers replace given ones. */
function normaliseValues(rules: FieldRules, step: Step, values: Answers): Answers {
  const normal: Partial<Record<AskedFieldName, string>> = {};
  for (const field of fieldsOf(step)) {
    const rule = rules[field];
    const value = values[field];
    const spelled = rule && value ? normaliseValue(rule, value) : value;
    if (spelled) normal[field] = spelled;
  }
  return { ...normal, ...impliedBy(step, normal) };
}

/** Returns the errors of a step's values. Optional and implied fields may be empty. */
export function checkValues(
  rules: FieldRules,
  step: Step,
  values: Answers,
  context: CheckContext,
): Errors {
  const errors: Partial<Record<AskedFieldName, Errors[AskedFieldName]>> = {};
  const implied = impliedBy(step, values);
  for (const field of inputFields(step)) {
    const isOptional = step.optional?.includes(field) || field in implied;
    const rule = rules[field];
    const error = rule && checkValue(rule, values[field], context);
    if (error && !(isOptional && error === 'required')) errors[field] = error;
  }
  return errors;
}

/**
 * Adds doubtful values to a form's errors until the visitor has seen the question about each one. Then accepts
 * unchanged doubtful values.
 *
 * @param told the errors that the visitor has seen for the present values
 */
export function withDoubts(
  rules: FieldRules,
  step: Step,
  values: Answers,
  wrong: Errors,
  told: Errors,
): Errors {
  const doubtful = inputFields(step).filter((field) =>
    isDoubtful(rules[field]?.kind, values[field] ?? ''),
  );
  const isTold = doubtful.every((field) =>
    ['doubtful', 'not_reachable'].includes(told[field] ?? ''),
  );
  if (isTold && Object.keys(wrong).length === 0) return {};
  return { ...Object.fromEntries(doubtful.map((field) => [field, 'doubtful'])), ...wrong };
}

/** Number of refusals before a short description is accepted (docs/specification.md#case-description). */
const SHORT_TEXT_REFUSALS = 2;

/** A submitted form of the step `state.at`. */
export type FormContext = {
  readonly data: Pick<SurveyData, 'flow' | 'fields' | 'settings'>;
  readonly context: WalkContext;
  readonly state: Pick<
    VisitState,
    'given' | 'drafts' | 'at' | 'shortTexts' | 'errors' | 'refusals'
  >;
};

/**
 * Returns a submitted form's normalised values and errors. Accepts a short description after
 * `SHORT_TEXT_REFUSALS` refusals.
 *
 * @param typed the form's input
 * @param known the step's earlier answers and input
 * @param earlier the answers of the steps before
 */
export function checkForm(
  { data: { fields, settings, flow }, context: { today }, state }: FormContext,
  step: Step,
  typed: Answers,
  known: Answers,
  earlier: Answers,
): { readonly values: Answers; readonly errors: Errors } {
  const check = { ...settings, ...flow.submit, today, answers: { ...earlier, ...typed } };
  const found = checkValues(fields, step, typed, check);
  const { case_description: _, ...others } = found;
  const isAccepted = isShortText(found) && state.shortTexts >= SHORT_TEXT_REFUSALS;
  const errors = isAccepted ? others : found;
  return { values: normaliseValues(fields, step, { ...known, ...typed }), errors };
}

/** Returns the value of a form's input. Joins checked boxes by commas; '' if no box is checked. */
export function inputValue(field: AskedFieldName, values: readonly string[]): string | undefined {
  return field === 'selected_buyers' ? values.join(',') : values[0];
}

/** Returns a step's choice fields, which a form may show as buttons. Forms do not post the state of buttons. */
export function buttonFields(rules: FieldRules, step: Step): AskedFieldName[] {
  return inputFields(step).filter((field) => rules[field]?.kind === 'choice');
}

/** Returns the chosen answers, without typed ones. Chosen answers do not identify the visitor. */
export function chosenAnswers(rules: FieldRules, answers: Answers): Answers {
  const isTyped = (name: string) =>
    !/choice|number/.test(rules[name as AskedFieldName]?.kind ?? 'choice');
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !isTyped(name)));
}
