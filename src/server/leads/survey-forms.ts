/** Handles surveys without JavaScript (docs/specification.md#without-javascript). */
import type { Answers } from '../../model/fields/answers.ts';
import { stepOf } from '../../model/flows/engine/flow.ts';
import { walk } from '../../model/flows/engine/walk.ts';
import { firmsToAuthorize, readAuthorization } from '../../model/rules/authorization-text.ts';
import { HEALTH_AUTHORIZATION } from '../../model/rules/health-authorization.ts';
import { STILL_SEND, withDoubts } from '../../model/visit/form-values.ts';
import {
  type FormState,
  type FormVisit,
  lastOnPath,
  stateAt,
} from '../../model/visit/form-visit.ts';
import {
  type PostedFields,
  postedValue,
  pressedChoice,
  takeForm,
} from '../../model/visit/posted-form.ts';
import {
  type Errors,
  initialState,
  isShortText,
  reduce,
  type SurveyData,
  type VisitState,
} from '../../model/visit/state.ts';
import type { Clock } from '../platform/clock.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import { createFormChecks } from './form-checks.ts';
import { createFormSending } from './form-sending.ts';
import {
  arrivedAt,
  createFormVisits,
  type Entry,
  endOf,
  type FormInProgress,
  type FormOutcome,
  type FormParts,
  type FormPost,
  type FormRequest,
  ownerOf,
  type StoredFormVisit,
  stepAddress,
  stepToShow,
  type VisitProof,
} from './form-visits.ts';
import { leadsOfForm } from './repeated-forms.ts';

export type FormPage = { readonly form: FormVisit; readonly state: VisitState };

export type SurveyForms = ReturnType<typeof createSurveyForms>;

export function createSurveyForms(parts: FormParts) {
  const { digest, inTurn, now } = parts;
  const checks = createFormChecks(parts.useCases);
  const visits = createFormVisits(parts);
  const send = createFormSending(parts, visits, checks);

  async function takeOne(
    post: FormPost,
    own: readonly VisitProof[],
  ): Promise<FormOutcome | undefined> {
    const { data, isFirst, fields } = post;
    const { flow, survey } = data;
    const known = await visits.load(post);
    const sent = await sentBy(post, own, known);
    if (sent) return sent;
    const found = known && mayContinue(post, known, isFirst) ? known : undefined;
    if (!found && !isFirst) return undefined;
    // The visit's lead was already sent, for example from another tab.
    if (found?.hasLead && !isFirst) return { goTo: endOf(data, found) };
    const present = found?.hasLead ? undefined : found;
    const begun =
      present && post.proof
        ? { form: visits.landedAgain(post, present.form), proof: post.proof }
        : await visits.begin(post, (affid) => checks.isPrefilled(post, affid));
    const context = visits.contextOf(data, begun.form);
    const step = postedValue(fields, 'step') ?? '';
    const { form, proof } = visitOfForm(post, begun, own[0], present !== undefined, context, step);
    const tapped = withFirstTap(data, form, fields);
    if (!stateAt(flow, tapped.state, step, context)) {
      // The stored answers do not lead to the posted step, so the posted answers are ignored.
      const at = lastOnPath(flow, form.state.given, context);
      return { goTo: present ? stepAddress(survey.path, at) : survey.path };
    }
    return answer({
      post,
      proof,
      lead: ownerOf(proof),
      visitor: {
        ...post.visitor,
        ...ownerOf(proof),
        page: post.visitor.siteOrigin + survey.path,
      },
      context,
      step,
      isResumed: present !== undefined && isFirst,
      lastSeq: present?.lastSeq ?? 0,
      before: firstEntries(data, form, tapped),
      form: tapped,
    });
  }

  /** Returns the redirect to the last page if the form has already sent its lead. */
  async function sentBy(
    post: FormPost,
    own: readonly VisitProof[],
    known: Awaited<ReturnType<typeof visits.load>>,
  ): Promise<FormOutcome | undefined> {
    const { data } = post;
    for (const proof of own) {
      const earlier = await visits.load({ ...post, proof });
      if (earlier?.hasLead) return { goTo: endOf(data, earlier), proof };
    }
    const isSame = own.some(({ leadId }) => leadId === known?.form.firstForm);
    return known?.hasLead && isSame ? { goTo: endOf(data, known) } : undefined;
  }

  async function moveOn(posted: FormInProgress, form: FormVisit, entries: readonly Entry[]) {
    await visits.move(posted, form, entries);
    if (stepOf(posted.post.data.flow, form.state.at).mapsLead) checks.map(posted);
  }

  async function answer(posted: FormInProgress): Promise<FormOutcome | undefined> {
    const { post, form, context, step, proof } = posted;
    const { data, fields } = post;
    const { flow, survey } = data;
    const { given, drafts } = form.state;
    const typedAt = (at: string, typed: Answers): FormState => ({
      ...form.state,
      ...arrivedAt(at),
      drafts: { ...drafts, [step]: typed },
    });
    const taken = takeForm({ data, context, state: { ...form.state, at: step } }, fields);
    switch (taken.type) {
      case 'over':
        return { goTo: survey.path + form.search, proof: null };
      case 'back': {
        const { steps } = walk(flow, given, context, step);
        const at = steps.at(-2) ?? flow.start;
        const seconds = visits.secondsOn(form);
        const entries: Entry[] = [{ kind: 'back', step, answers: {}, seconds }];
        await moveOn(posted, { ...form, state: typedAt(at, taken.typed) }, entries);
        return { goTo: stepAddress(survey.path, at), proof };
      }
      case 'edited': {
        const state = typedAt(step, taken.typed);
        const isConsentNew = taken.pressed === STILL_SEND && stepOf(flow, step).kind === 'contact';
        const consentShownAt = isConsentNew ? now().toISOString() : form.visit.consentShownAt;
        await visits.save(posted, { ...form, state, visit: { ...form.visit, consentShownAt } });
        return { goTo: `${stepAddress(survey.path, step)}#field-${taken.pressed}`, proof };
      }
      case 'refused': {
        const found = await checks.problemsOf(posted, taken.answers, taken.errors);
        return refuse(posted, taken.typed, { ...found, ...taken.errors });
      }
      case 'answered': {
        const found = await checks.problemsOf(posted, taken.answers, {});
        const isOk = Object.keys(found).length === 0 && !showsOtherFirms(posted);
        if (isOk && lacksAuthorization(posted, taken.answers)) {
          return refuse(posted, taken.typed, { [HEALTH_AUTHORIZATION]: 'required' });
        }
        if (isOk) return goOn(posted, taken.answers);
        const isFound = Object.keys(found).length > 0;
        const errors = isFound
          ? withDoubts(data.fields, stepOf(flow, step), taken.answers, found, {})
          : found;
        return refuse(posted, taken.typed, errors);
      }
    }
  }

  async function goOn(posted: FormInProgress, values: Answers): Promise<FormOutcome | undefined> {
    const { post, form, context, step, isResumed, proof } = posted;
    const { flow, survey } = post.data;
    const { submits } = stepOf(flow, step);
    checks.begin(posted, values);
    if (submits) return send(posted, values);
    const answers = await checks.withFound(posted, values);
    const { given, drafts } = form.state;
    const here = { ...initialState(flow), given, drafts, at: step };
    const next = reduce(flow, context, here, { type: 'answered', screen: here.screen, answers });
    const at = isResumed && step === flow.start ? lastOnPath(flow, next.given, context) : next.at;
    const reached = { given: next.given, drafts: next.drafts, resumed: at !== next.at };
    const state = { ...form.state, ...arrivedAt(at), ...reached };
    await moveOn(posted, { ...form, state }, [
      { kind: 'answered', step, answers, seconds: visits.secondsOn(form) },
    ]);
    return { goTo: stepAddress(survey.path, at), proof };
  }

  /** Stores what the visitor typed and the errors, so that the form can be shown again with them. */
  async function refuse(
    posted: FormInProgress,
    typed: Answers,
    errors: Errors,
  ): Promise<FormOutcome> {
    const { post, form, step, proof } = posted;
    const { drafts, refusals, shortTexts, unknownZips = 0 } = form.state;
    const state: FormState = {
      ...form.state,
      at: step,
      resumed: false,
      drafts: { ...drafts, [step]: typed },
      errors,
      refusals: refusals + 1,
      shortTexts: shortTexts + Number(isShortText(errors)),
      unknownZips: unknownZips + Number(errors.zip_code === 'unknown_zip'),
    };
    const refused = Object.keys(errors) as (keyof Errors)[];
    const [first] = refused;
    const entry: Entry = { kind: 'refused', step, answers: {}, refused };
    const seq = first === undefined ? form.seq : await visits.record(posted, form, [entry]);
    await visits.save(posted, { ...form, state, seq });
    const where = first === undefined ? '' : `#field-${first}`;
    return { goTo: stepAddress(post.data.survey.path, step) + where, proof };
  }

  return {
    /** Processes a form; undefined if the visit does not exist. @throws StoreUnavailableError */
    async take(post: FormPost): Promise<FormOutcome | undefined> {
      const own = visitsOfContent(post, digest, now);
      const ids = new Set([post.proof, own[0]].flatMap((proof) => (proof ? [proof.leadId] : [])));
      // Locks the visits in the order of their ids. Otherwise two concurrent posts could deadlock.
      return [...ids].sort().reduce(
        (work, id) => () => inTurn(id, work),
        () => takeOne(post, own),
      )();
    },

    /**
     * Returns the page of a step that the visitor has reached, otherwise a redirect.
     * @throws StoreUnavailableError
     */
    async show(
      request: FormRequest,
      step: string | undefined,
    ): Promise<FormPage | { readonly goTo: string } | undefined> {
      const { data } = request;
      const { flow, survey } = data;
      const found = await visits.load(request);
      if (!found || !mayContinue(request, found, false)) return undefined;
      const { form, hasLead } = found;
      const context = visits.contextOf(data, form);
      if (hasLead) {
        const isEnd = step !== undefined && form.sentTo === stepAddress(survey.path, step);
        if (!isEnd) return { goTo: endOf(data, found) };
        const { given } = form.state;
        return { form, state: { ...initialState(flow), given, at: step, phase: 'ended' } };
      }
      const state = step === undefined ? undefined : stateAt(flow, form.state, step, context);
      if (!state) return { goTo: stepAddress(survey.path, stepToShow(data, form, context)) };
      return { form, state };
    },
  };
}

/** Returns whether this browser may continue the visit that its cookie names. */
function mayContinue(
  { isBound, visitor }: FormRequest,
  { begunBy }: Pick<StoredFormVisit, 'begunBy'>,
  isFirst: boolean,
): boolean {
  const { address, userAgent } = visitor;
  const isSender = begunBy?.address === address && begunBy.userAgent === userAgent;
  return (isBound && !isFirst) || isSender;
}

/** Returns whether the posted consent names other law firms than the server would name now. */
function showsOtherFirms({ post, form, context, step }: FormInProgress): boolean {
  const { flow } = post.data;
  if (!stepOf(flow, step).optional?.includes('selected_buyers')) return false;
  const { answers } = walk(flow, form.state.given, context, step);
  return postedValue(post.fields, 'firms') !== answers.displayed_buyer_ids;
}

/** Returns whether the visitor has not yet answered a necessary authorization. */
function lacksAuthorization({ post, form, context, step }: FormInProgress, values: Answers) {
  const { flow, settings } = post.data;
  if (!stepOf(flow, step).submits || readAuthorization(post.fields)) return false;
  const { answers } = walk(flow, form.state.given, context, step);
  return firmsToAuthorize({ ...answers, ...values }, settings.authorizedFirms).length > 0;
}

/** Returns the visits that an equal, earlier post of the first page may have started. */
function visitsOfContent(
  { data, visitor, fields, isFirst }: FormPost,
  digest: KeyedDigest,
  now: Clock,
): VisitProof[] {
  const { flow, survey } = data;
  const step = postedValue(fields, 'step') ?? '';
  const sends = Object.hasOwn(flow.steps, step) && flow.steps[step]?.submits === true;
  if (!isFirst || !sends || postedValue(fields, 'go') !== undefined) return [];
  const typed = fields.toSorted(([a], [b]) => Number(a > b) - Number(a < b));
  const { addressKey, userAgent } = visitor;
  return leadsOfForm(digest, 'form', now, (slot) =>
    JSON.stringify([survey.path, slot, addressKey, userAgent, typed]),
  );
}

/** Returns the visit to which a form belongs. */
function visitOfForm(
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

/** Adds the answer that the visitor tapped before the page's script had loaded (taps.ts). */
function withFirstTap({ flow }: SurveyData, form: FormVisit, fields: PostedFields): FormVisit {
  const [name, value] = (postedValue(fields, 'first') ?? '').split('=');
  if (name === undefined || value === undefined) return form;
  const choice = pressedChoice(stepOf(flow, flow.start), [[name, value]]);
  if (!choice) return form;
  const given = { ...form.state.given, [flow.start]: choice };
  return { ...form, state: { ...form.state, given } };
}

/** Returns the progress entries of the first question. */
function firstEntries({ flow }: SurveyData, form: FormVisit, tapped: FormVisit): Entry[] {
  const { start } = flow;
  const answers = tapped.state.given[start] ?? {};
  return [
    ...(form.seq === 0 ? [{ kind: 'viewed', step: start, answers: {} } as const] : []),
    ...(tapped === form ? [] : [{ kind: 'answered', step: start, answers, seconds: 0 } as const]),
  ];
}
