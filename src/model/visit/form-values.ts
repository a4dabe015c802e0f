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
import { HEALTH_AUTHORIZATION } from '../rules/health-authorization.ts';
import { type Errors, isShortText, type SurveyData, type VisitState } from './state.ts';

/** A draft has this field if the visitor continued after a notice of disqualification. */
export const STILL_SEND = 'still_send' as AskedFieldName;

/** A form without JavaScript posts this field if the visitor takes the suggested e-mail address. */
export const USE_EMAIL = 'use_email';

/** A question with more answers than this gets a drop-down list. */
const MOST_TOGGLES = 4;

export function isToggled(rule: FieldRule | undefined): boolean {
  return rule?.kind === 'choice' && !rule.isCallWish && (rule.values?.length ?? 0) <= MOST_TOGGLES;
}

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

/** Returns the errors of a step's values, by field. */
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
 * Adds the error `doubtful` for each doubtful value, unless the visitor has `seen` all of them and
 * nothing is wrong. After a failed check, pass `{}`: the next press then confirms every doubt.
 */
export function withDoubts(
  rules: FieldRules,
  step: Step,
  values: Answers,
  wrong: Errors,
  seen: Errors,
): Errors {
  const doubtful = inputFields(step).filter((field) =>
    isDoubtful(rules[field]?.kind, values[field] ?? ''),
  );
  // The page asks for the authorization only after the visitor has confirmed all doubtful values.
  const isSeen =
    HEALTH_AUTHORIZATION in seen ||
    doubtful.every((field) => ['doubtful', 'not_reachable'].includes(seen[field] ?? ''));
  if (isSeen && Object.keys(wrong).length === 0) return {};
  return { ...Object.fromEntries(doubtful.map((field) => [field, 'doubtful'])), ...wrong };
}

/** A short text is accepted after this many refusals (docs/specification.md#case-description). */
const SHORT_TEXT_REFUSALS = 2;

/** The inputs to the check of a form. */
export type FormContext = {
  readonly data: Pick<SurveyData, 'flow' | 'fields' | 'settings'>;
  readonly context: WalkContext;
  readonly state: Pick<
    VisitState,
    'given' | 'drafts' | 'at' | 'shortTexts' | 'errors' | 'refusals'
  >;
};

/** Returns the normalised values of a form, with its errors. */
export function checkForm(
  { data: { fields, settings, flow }, context: { today }, state }: FormContext,
  step: Step,
  typed: Answers,
  known: Answers,
  earlier: Answers,
): { readonly values: Answers; readonly errors: Errors } {
  const check: CheckContext = {
    today,
    descriptionLimit: settings.descriptionLimit,
    phoneCheck: flow.submit?.phoneCheck,
    answers: { ...earlier, ...typed },
  };
  const found = checkValues(fields, step, typed, check);
  const { case_description: _, ...others } = found;
  const isAccepted = isShortText(found) && state.shortTexts >= SHORT_TEXT_REFUSALS;
  const errors = isAccepted ? others : found;
  return { values: normaliseValues(fields, step, { ...known, ...typed }), errors };
}

/** Returns the value of an input, which may have several checkboxes. */
export function inputValue(field: AskedFieldName, values: readonly string[]): string | undefined {
  return field === 'selected_buyers' ? values.join(',') : values[0];
}

/** Returns the fields of a step that the form displays as buttons. */
export function buttonFields(rules: FieldRules, step: Step): AskedFieldName[] {
  return inputFields(step).filter((field) => rules[field]?.kind === 'choice');
}

/** Returns the answers that are choices, which cannot identify the visitor. */
export function chosenAnswers(rules: FieldRules, answers: Answers): Answers {
  const isTyped = (name: string) =>
    !/choice|number/.test(rules[name as AskedFieldName]?.kind ?? 'choice');
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !isTyped(name)));
}
