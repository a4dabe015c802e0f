import type { Answers } from '../fields/answers.ts';
import type { ContactDetails } from '../fields/contact-parameters.ts';
import { type Flow, inputFields } from '../flows/engine/flow.ts';
import type { StepAnswers } from '../flows/engine/walk.ts';
import type { VisitState } from './state.ts';

/** Returns contact details as drafts for the steps that ask them. */
export function prefillDrafts(flow: Flow, details: ContactDetails): StepAnswers {
  const drafts: Record<string, Answers> = {};
  for (const [name, step] of Object.entries(flow.steps)) {
    for (const field of inputFields(step)) {
      const value = (details as Answers)[field];
      if (value) drafts[name] = { ...drafts[name], [field]: value };
    }
  }
  return drafts;
}

/** Adds prefilled values to a state, without changing answers and drafts. */
export function withPrefill(
  state: Pick<VisitState, 'given' | 'drafts'>,
  prefilled: StepAnswers,
): Pick<VisitState, 'drafts' | 'prefilled'> {
  const drafts = { ...state.drafts };
  for (const [step, values] of Object.entries(prefilled)) {
    drafts[step] = { ...values, ...state.given[step], ...drafts[step] };
  }
  return { drafts, prefilled };
}
