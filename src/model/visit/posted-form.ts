import type { Answers, AskedFieldName } from '../fields/answers.ts';
import { checkField } from '../fields/asked-fields.ts';
import { buttonOf, inputFields, type Step, stepOf } from '../flows/engine/flow.ts';
import { walk } from '../flows/engine/walk.ts';
import { HEALTH_AUTHORIZATION } from '../rules/health-authorization.ts';
import {
  checkForm,
  type FormContext,
  inputValue,
  isToggled,
  STILL_SEND,
  USE_EMAIL,
  withDoubts,
} from './form-values.ts';
import type { Errors, SurveyData } from './state.ts';
import { toggleSentence } from './toggle-sentence.ts';

/** The names and values of a posted form. */
export type PostedFields = readonly (readonly [name: string, value: string])[];

const VALUE_CHARACTERS = 10_000;

type TakenForm =
  /** The form answers the step. */
  | { readonly type: 'answered'; readonly answers: Answers; readonly typed: Answers }
  /** The visitor pressed a button within the form, so the form is displayed again. */
  | { readonly type: 'edited'; readonly typed: Answers; readonly pressed: string }
  | {
      readonly type: 'refused';
      readonly typed: Answers;
      /** The normalised values. */
      readonly answers: Answers;
      readonly errors: Errors;
    }
  | { readonly type: 'back'; readonly typed: Answers }
  | { readonly type: 'over' };

export function postedValue(fields: PostedFields, name: string): string | undefined {
  return fields.find(([each]) => each === name)?.[1];
}

function valuesOf(fields: PostedFields, name: string): string[] {
  return fields
    .filter(([each]) => each === name)
    .map(([, value]) => value.slice(0, VALUE_CHARACTERS).toWellFormed());
}

/** Returns the choice that belongs to the pressed button. */
export function pressedChoice({ choices }: Step, fields: PostedFields): Answers | undefined {
  return choices?.find((choice) => {
    const [name, value] = buttonOf(choice);
    return fields.some((field) => field[0] === name && field[1] === value);
  });
}

function toggles(
  { fields }: Pick<SurveyData, 'fields'>,
  step: Step,
): ReadonlyMap<AskedFieldName, readonly string[]> {
  const asked = inputFields(step).filter((field) => isToggled(fields[field]));
  const values = new Map(asked.map((field) => [field, fields[field]?.values ?? []]));
  for (const [field, value] of (step.choices ?? []).map(buttonOf)) {
    values.set(field, [...(values.get(field) ?? []), value]);
  }
  return values;
}

function pressedToggle(known: Answers, form: FormContext, fields: PostedFields): Answers {
  const step = stepOf(form.data.flow, form.state.at);
  for (const [field, values] of toggles(form.data, step)) {
    const pressed = valuesOf(fields, field).find((value) => values.includes(value));
    if (pressed !== undefined) return { [field]: known[field] === pressed ? '' : pressed };
  }
  return {};
}

function typedValues(
  known: Answers,
  { data, context, state }: FormContext,
  fields: PostedFields,
): Answers {
  const step = stepOf(data.flow, state.at);
  const toggled = toggles(data, step);
  const typed: Partial<Record<AskedFieldName, string>> = known[STILL_SEND]
    ? { [STILL_SEND]: 'yes' }
    : {};
  for (const field of inputFields(step)) {
    const value = toggled.has(field)
      ? (known[field] ?? '')
      : inputValue(field, [
          ...(field === 'email' ? valuesOf(fields, USE_EMAIL) : []),
          ...valuesOf(fields, field),
        ]);
    if (value !== undefined) typed[field] = value;
  }
  const choice = postedValue(fields, 'state_choice');
  if (choice !== undefined && step.finds?.includes('state_choice')) {
    typed.state_choice = checkField('state_choice', choice, context) ? '' : choice;
    typed.state = choice === 'outside' ? '' : typed.state_choice;
  }
  return typed;
}

/** Returns the errors that the visitor has seen and not corrected. */
function seenErrors({ state }: FormContext, fields: PostedFields, typed: Answers): Errors {
  // If the posted `refusals` is outdated, the visitor has not seen the newest errors.
  if (postedValue(fields, 'refusals') !== String(state.refusals)) return {};
  const before = state.drafts[state.at] ?? {};
  return Object.fromEntries(
    Object.entries(state.errors).filter(([name]) => {
      const field = name as AskedFieldName;
      if (field === HEALTH_AUTHORIZATION) return true;
      return before[field] !== undefined && before[field] === typed[field];
    }),
  );
}

/** Returns the effect of a posted form. The caller must ask third parties for their checks. */
export function takeForm(form: FormContext, fields: PostedFields): TakenForm {
  const { data, context, state } = form;
  const { flow } = data;
  const step = stepOf(flow, state.at);
  const go = postedValue(fields, 'go');
  if (go === 'over') return { type: 'over' };
  const isTapped = step.kind === 'choice';
  const known: Answers = { ...state.given[state.at], ...state.drafts[state.at] };
  const earlier = walk(flow, state.given, context, state.at).answers;
  const typed = isTapped ? {} : typedValues(known, form, fields);
  if (go === 'back') {
    // Leads from the authorization back to the fields of the same step.
    return HEALTH_AUTHORIZATION in state.errors
      ? { type: 'edited', typed, pressed: HEALTH_AUTHORIZATION }
      : { type: 'back', typed };
  }
  if (isTapped) {
    const answers = pressedChoice(step, fields);
    if (answers) return { type: 'answered', answers, typed };
    return { type: 'refused', typed, answers: {}, errors: {} };
  }
  const pressed = pressedToggle(known, form, fields);
  if (postedValue(fields, STILL_SEND)) {
    const draft = { ...state.drafts[state.at], [STILL_SEND]: 'yes' };
    return { type: 'edited', typed: draft, pressed: STILL_SEND };
  }
  const [sentence] = valuesOf(fields, 'scenario');
  if (sentence && typed.case_description !== undefined) {
    const case_description = toggleSentence(typed.case_description, sentence);
    return { type: 'edited', typed: { ...typed, case_description }, pressed: 'case_description' };
  }
  // On a contact step, only the button that the consent names may send the lead.
  if (step.kind === 'contact' && valuesOf(fields, USE_EMAIL).length > 0) {
    return { type: 'edited', typed, pressed: 'email' };
  }
  const [name] = Object.keys(pressed);
  if (name) return { type: 'edited', typed: { ...typed, ...pressed }, pressed: name };
  const { values: answers, errors: wrong } = checkForm(form, step, typed, known, earlier);
  const seen = seenErrors(form, fields, typed);
  const errors = withDoubts(data.fields, step, typed, wrong, seen);
  return Object.keys(errors).length > 0
    ? { type: 'refused', typed, answers, errors }
    : { type: 'answered', answers, typed };
}

/** The reason why the server refuses a form without JavaScript. */
export type FormProblemReason =
  | 'no_visit' // the server does not know the visit
  | 'unreadable' // the body is not a form of the survey
  | 'foreign_page' // the form came from another site
  | 'too_many' // the sender is over the rate limit
  | 'unavailable'; // the server could not store the visit
