/** Handles forms of the shared first page. That page is cached, so it does not contain a visit. */
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
 * Returns the visits derived from the content of a first form that can send a lead, for the current and the previous
 * ten minutes. A form that is posted twice thus sends one lead, even without a cookie.
 */
export async function ownVisits(
  { data, visitor, fields, isFirst }: FormPost,
  digest: KeyedDigest,
  now: Clock,
): Promise<VisitProof[]> {
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

/**
 * Returns the visit that a first form belongs to. If the form completes a new visit at once, the visit gets the id
 * derived from the form's content. An existing visit only stores that id. A visit with an incomplete form stays under
 * its random id, because many visitors may post the same incomplete form.
 */
export function asOwn(
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

/**
 * Returns whether the sender of a first form began the visit, judged by IP address and user agent. The shared first
 * page never resumes another browser's visit: an attacker may have planted its cookie to read the answers.
 */
export function isBegunBy(
  { begunBy }: Pick<StoredFormVisit, 'begunBy'>,
  { address, userAgent }: FormPost['visitor'],
): boolean {
  return begunBy?.address === address && begunBy.userAgent === userAgent;
}

/** Adds the first screen's answer, which the next form posts as `first` if React was loaded late (taps.ts). */
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

/** Returns the progress entries that the shared first page could not save itself. */
export function firstEntries({ flow }: SurveyData, form: FormVisit, tapped: FormVisit): Entry[] {
  const { start } = flow;
  const answers = tapped.state.given[start] ?? {};
  return [
    ...(form.seq === 0 ? [{ kind: 'viewed', step: start, answers: {} } as const] : []),
    ...(tapped === form ? [] : [{ kind: 'answered', step: start, answers, seconds: 0 } as const]),
  ];
}
