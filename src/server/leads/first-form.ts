/** Handles forms of a survey's first page, which is cached for all visitors and names no visit. */
import { stepOf } from '../../model/flows/engine/flow.ts';
import type { FormVisit } from '../../model/visit/form-visit.ts';
import {
  type PostedFields,
  postedValue,
  pressedChoice,
  takeForm,
} from '../../model/visit/posted-form.ts';
import type { SurveyData } from '../../model/visit/state.ts';
import type { Clock } from '../platform/clock.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import { isCertificate } from './form-extras.ts';
import type {
  Entry,
  FormInProgress,
  FormPost,
  StoredFormVisit,
  VisitProof,
} from './form-visits.ts';
import { leadsOfForm } from './repeated-forms.ts';

/**
 * Returns the visits of a complete first-page form for the current and the previous time slot.
 * Their ids are hashes of the form, so that a form posted twice sends one lead.
 */
export function visitsOfContent(
  { data, visitor, fields, isFirst }: FormPost,
  digest: KeyedDigest,
  now: Clock,
): VisitProof[] {
  const { flow, survey } = data;
  const step = postedValue(fields, 'step') ?? '';
  const sends = Object.hasOwn(flow.steps, step) && flow.steps[step]?.submits === true;
  if (!isFirst || !sends || postedValue(fields, 'go') !== undefined) return [];
  const typed = fields
    .filter(([name]) => !isCertificate(name))
    .toSorted(([a], [b]) => Number(a > b) - Number(a < b));
  const { addressKey, userAgent } = visitor;
  return leadsOfForm(digest, 'form', now, (slot) =>
    JSON.stringify([survey.path, slot, addressKey, userAgent, typed]),
  );
}

/** Returns a form's visit: `own` if the form completes a new visit, else the begun visit. */
export function visitOfForm(
  { data, fields }: FormPost,
  begun: { readonly form: FormVisit; readonly proof: VisitProof },
  own: VisitProof | undefined,
  isPresent: boolean,
  context: FormInProgress['context'],
  step: string,
): { readonly form: FormVisit; readonly proof: VisitProof } {
  if (!own) return begun;
  const { form, proof } = begun;
  if (isPresent) return { form: { ...form, firstForm: own.leadId }, proof };
  const { state } = withFirstTap(data, form, fields);
  if (takeForm({ data, context, state: { ...state, at: step } }, fields).type !== 'answered') {
    return begun;
  }
  const session = { ...form.visit.session, lead_id: own.leadId };
  return { form: { ...form, visit: { ...form.visit, session } }, proof: own };
}

/** Returns whether the sender began the visit. An attacker may have planted the visit's cookie. */
export function isBegunBy(
  { begunBy }: Pick<StoredFormVisit, 'begunBy'>,
  { address, userAgent }: FormPost['visitor'],
): boolean {
  return begunBy?.address === address && begunBy.userAgent === userAgent;
}

/** Adds the answer that the visitor tapped before the page's script was loaded (taps.ts). */
export function withFirstTap(
  { flow }: SurveyData,
  form: FormVisit,
  fields: PostedFields,
): FormVisit {
  const [name, value] = (postedValue(fields, 'first') ?? '').split('=');
  if (name === undefined || value === undefined) return form;
  const choice = pressedChoice(stepOf(flow, flow.start), [[name, value]]);
  if (!choice) return form;
  const given = { ...form.state.given, [flow.start]: choice };
  return { ...form, state: { ...form.state, given } };
}

/** Returns the first question's progress entries, which the cached first page could not save. */
export function firstEntries({ flow }: SurveyData, form: FormVisit, tapped: FormVisit): Entry[] {
  const { start } = flow;
  const answers = tapped.state.given[start] ?? {};
  return [
    ...(form.seq === 0 ? [{ kind: 'viewed', step: start, answers: {} } as const] : []),
    ...(tapped === form ? [] : [{ kind: 'answered', step: start, answers, seconds: 0 } as const]),
  ];
}
