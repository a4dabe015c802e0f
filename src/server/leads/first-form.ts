/** What is different where a form is posted by the page that is the same for all: it has no visit yet. */

import { stepOf } from '../../flows/engine/flow.ts';
import type { JourneyData } from '../../journey/data.ts';
import type { FormVisit } from '../../journey/form-visit.ts';
import {
  type PostedFields,
  postedValue,
  pressedChoice,
  takeForm,
} from '../../journey/posted-form.ts';
import { isCertificate } from './form-extras.ts';
import type { Entry, FormPost, Taking, VisitProof } from './form-taking.ts';
import type { Clock, KeyedDigest, StoredFormVisit } from './ports.ts';
import { formTimes, leadOfDigest } from './same-form.ts';

/**
 * The visits that a first form makes by itself where its step sends the lead, newest first: of this time and of
 * the time before, so that who presses twice or tries again sends one lead, with a cookie or without.
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
  return Promise.all(
    formTimes(now).map(async (time) =>
      leadOfDigest(
        await digest('form', JSON.stringify([survey.path, time, addressKey, userAgent, typed])),
      ),
    ),
  );
}

/**
 * A visit that a first form begins and ends at once is the form's own; one that was there before only notes
 * which form it was. A form that is refused makes no visit of its own: an empty one is anybody's.
 */
export function asOwn(
  { data, fields }: FormPost,
  begun: { readonly form: FormVisit; readonly proof: VisitProof },
  own: VisitProof | undefined,
  isPresent: boolean,
  context: Taking['context'],
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
 * Returns whether a visit was begun by the browser that posts a first form, as far as its address and name
 * tell. Another browser's visit is never taken up by the page that is the same for all: whoever planted that
 * visit's cookie would read the answers.
 */
export function isBegunBy(
  { begunBy }: Pick<StoredFormVisit, 'begunBy'>,
  { address, userAgent }: FormPost['visitor'],
): boolean {
  return begunBy?.address === address && begunBy.userAgent === userAgent;
}

/**
 * The answer of the first screen, where the page itself had brought the next one in its place before its
 * script was there (early-taps.ts): it comes along with that one's.
 */
export function withFirstTap(
  { flow }: JourneyData,
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

/** What is saved of the page of all with the first form that it sends. */
export function firstEntries({ flow }: JourneyData, form: FormVisit, tapped: FormVisit): Entry[] {
  const { start } = flow;
  const answers = tapped.state.given[start] ?? {};
  return [
    ...(form.seq === 0 ? [{ kind: 'viewed', step: start, answers: {} } as const] : []),
    ...(tapped === form ? [] : [{ kind: 'answered', step: start, answers, seconds: 0 } as const]),
  ];
}
