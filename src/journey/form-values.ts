import type { Answers, AskedFieldName } from '../domain/answers.ts';
import type { FieldRules } from '../domain/asked-fields.ts';
import {
  type CheckContext,
  checkValue,
  type FieldRule,
  normaliseValue,
} from '../domain/field-rules.ts';
import { isDoubtful } from '../domain/typos.ts';
import { fieldsOf, impliedBy, inputFields, type Step } from '../flows/engine/flow.ts';
import { type Errors, isShortText } from './state.ts';

/** Up to so many answers are buttons; more are a drop-down. */
const MOST_TOGGLES = 4;

/** Whether a question beside others is answered by pressing one of a few buttons. */
export function isToggled(rule: FieldRule | undefined): boolean {
  return rule?.kind === 'choice' && (rule.values?.length ?? 0) <= MOST_TOGGLES;
}

/**
 * The values of a step in their one spelling, without empty ones; buttons have it already. What they
 * imply takes the place of what was answered before.
 */
export function normaliseValues(rules: FieldRules, step: Step, values: Answers): Answers {
  const normal: Partial<Record<AskedFieldName, string>> = {};
  for (const field of fieldsOf(step)) {
    const rule = rules[field];
    const value = values[field];
    const spelled = rule && value ? normaliseValue(rule, value) : value;
    if (spelled) normal[field] = spelled;
  }
  return { ...normal, ...impliedBy(step, normal) };
}

/**
 * What is wrong with the values of a step: asked fields must be there, optional ones may be empty.
 *
 * @param untouched fields that the visitor must change and has not (docs/specification.md#field-checks)
 */
export function checkValues(
  rules: FieldRules,
  step: Step,
  values: Answers,
  context: CheckContext,
  untouched: readonly AskedFieldName[] = [],
): Errors {
  const errors: Partial<Record<AskedFieldName, Errors[AskedFieldName]>> = {};
  const implied = impliedBy(step, values);
  for (const field of inputFields(step)) {
    const isOptional = step.optional?.includes(field) || field in implied;
    const rule = rules[field];
    const error = untouched.includes(field)
      ? 'required'
      : rule && checkValue(rule, values[field], context);
    if (error && !(isOptional && error === 'required')) errors[field] = error;
  }
  return errors;
}

/**
 * Returns why a form is refused: what is wrong, and what is doubtful as long as its visitor was not told of
 * every doubt. Who leaves a doubtful value as it was is taken at their word.
 *
 * @param told the errors that stood beside the values as they are
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

/** How often a description that is too short is refused (docs/specification.md#case-description). */
const SHORT_TEXT_REFUSALS = 2;

/**
 * The errors that still refuse a form: a description that is too short passes once it was refused twice.
 *
 * @param shortTexts how often it was
 */
export function withoutShortText(errors: Errors, shortTexts: number): Errors {
  if (!isShortText(errors) || shortTexts < SHORT_TEXT_REFUSALS) return errors;
  const { case_description: _, ...others } = errors;
  return others;
}

/** The asked fields of a step that may stand in its form as buttons, which a form does not send. */
export function buttonFields(rules: FieldRules, step: Step): AskedFieldName[] {
  return inputFields(step).filter((field) => rules[field]?.kind === 'choice');
}

/** The number fields of a step that count only when the visitor moved them. */
export function sliderFields(rules: FieldRules, step: Step): AskedFieldName[] {
  return (step.asks ?? []).filter((field) => rules[field]?.kind === 'number');
}

/** Returns the answers that were chosen, not typed. None of them identifies the visitor. */
export function chosenAnswers(rules: FieldRules, answers: Answers): Answers {
  const isTyped = (name: string) =>
    !/choice|number/.test(rules[name as AskedFieldName]?.kind ?? 'choice');
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !isTyped(name)));
}
