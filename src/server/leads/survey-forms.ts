/**
 * The use case of a survey that is answered by posts of its forms, where no script runs
 * (docs/specification.md#without-javascript): the same pure parts as the page's runner, the same checks
 * with their limits, and at the end the same lead through the same use case.
 */
import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Answers } from '../../domain/answers.ts';
import type { PublishedConsent } from '../../domain/consent.ts';
import { type ContactDetails, takeContactDetails } from '../../domain/contact-parameters.ts';
import type { CalendarDate } from '../../domain/dates.ts';
import { deriveFields } from '../../domain/lead/derive-fields.ts';
import { thankYouQuery } from '../../domain/thank-you.ts';
import { stepOf } from '../../flows/engine/flow.ts';
import { walk } from '../../flows/engine/walk.ts';
import type { Survey } from '../../flows/surveys.ts';
import {
  type FormState,
  type FormVisit,
  lastOfWay,
  stateAt,
  timeOn,
  visitOfSaves,
  withSaves,
} from '../../survey/forms/form-visit.ts';
import { postedValue, takeForm } from '../../survey/forms/posted-form.ts';
import { consentDigest, type ShownConsent } from '../../survey/page/consent-html.ts';
import type { SurveyPageData } from '../../survey/page/page-data.ts';
import { thankYouOptions } from '../../survey/runner/after-submit.ts';
import { chosen } from '../../survey/runner/ask-level.ts';
import { consentAt } from '../../survey/runner/consent-at.ts';
import { earlierAnswers, leadBody } from '../../survey/runner/lead-body.ts';
import { prefillDrafts } from '../../survey/runner/prefill.ts';
import {
  type Errors,
  initialState,
  isShortText,
  type RunnerState,
  reduce,
} from '../../survey/runner/runner-state.ts';
import {
  affiliateOf,
  newVisit,
  stateThatCounts,
  takenUp,
  VISIT_LIFETIME_MS,
} from '../../survey/runner/visit.ts';
import { walkContext } from '../../survey/runner/walk-context.ts';
import { asOwn, firstEntries, isBegunBy, ownVisits, withFirstTap } from './first-form.ts';
import { withMore } from './form-extras.ts';
import { createFormLookUps, type FormLookUpUseCases } from './form-look-ups.ts';
import type { Entry, FormPost, FormRequest, Taking, VisitProof } from './form-taking.ts';
import {
  type Clock,
  type FormVisitStore,
  type StoredFormVisit,
  StoreUnavailableError,
} from './ports.ts';
import type { UseCases } from './use-cases.ts';

/** Where a post leads; never an answer by itself, so that reload and back send nothing again. */
export type FormOutcome = {
  /** A path with its query. */
  readonly goTo: string;
  /** For the visitor's cookie; null: it is forgotten; undefined: it stays. */
  readonly proof?: VisitProof | null;
};

/** What a page of a visit shows. */
export type FormPage = {
  readonly form: FormVisit;
  readonly state: RunnerState;
};

/** Between what a script saved and what a form does: room for what the script had not sent yet. */
const SEQ_GAP = 100;
export type SurveyFormsOptions = {
  readonly store: FormVisitStore;
  readonly useCases: Pick<UseCases, 'acceptLead' | 'saveProgress'> & FormLookUpUseCases;
  /** Every text that was ever shown. */
  readonly consents: readonly PublishedConsent[];
  readonly calendar: (moment: Date) => CalendarDate;
  readonly log: Pick<Logger, 'error'>;
  readonly now: Clock;
};

/** The address of a step of a visit: its own, so that caches never mix it with the page of all. */
export function stepAddress(survey: string, step: string): string {
  return `${survey}/continue?step=${encodeURIComponent(step)}`;
}

/** A visit as its forms and its page's script left it. */
type Loaded = Pick<StoredFormVisit, 'begunBy' | 'hasLead'> & {
  readonly form: FormVisit;
  readonly lastSeq: number;
};

export type SurveyForms = ReturnType<typeof createSurveyForms>;

export function createSurveyForms({
  store,
  useCases,
  consents,
  calendar,
  log,
  now,
}: SurveyFormsOptions) {
  const lookUps = createFormLookUps(useCases);
  const published = new Map(consents.map((each) => [consentDigest(each), each]));
  /**
   * The consent that stood beside the button: the page may be older than what is shown today. One that says
   * none of ours proves nothing, and the lead is held.
   */
  const consentOf = ({ fields }: FormPost, { version }: ShownConsent) => {
    const shown = published.get(postedValue(fields, 'consent') ?? '');
    return shown
      ? { text: shown.text.replaceAll('\n', ' '), version: shown.version }
      : { text: '', version };
  };

  // Of one visit one form at a time: a button that is pressed twice answers once.
  const running = new Map<string, Promise<unknown>>();
  async function inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const before = running.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    running.set(id, mine);
    try {
      return await mine;
    } finally {
      if (running.get(id) === mine) running.delete(id);
    }
  }

  /** The visit of a cookie; undefined: there is none that is this visitor's, or it is over a day old. */
  async function load({ data, proof }: FormRequest): Promise<Loaded | undefined> {
    if (!proof) return undefined;
    const stored = await store.load(ownerOf(proof), VISIT_LIFETIME_MS);
    if (stored?.survey !== data.survey.path) return undefined;
    const { begunBy, click, hasLead, entries, lastSeq, startedAt } = stored;
    const lead = { leadId: proof.leadId, survey: stored.survey };
    const form = stored.form ?? (click && visitOfSaves(data.flow, lead, click, startedAt));
    if (!form) return undefined;
    const context = walkContext(data, calendar(now()), form.visit);
    return {
      form: withSaves(data.flow, form, entries, context),
      lastSeq: entries.length > 0 ? lastSeq + SEQ_GAP : lastSeq,
      hasLead,
      begunBy: stored.form?.begunBy ?? begunBy,
    };
  }

  /** A new visit, of whoever posted the first form of the page of all. */
  async function begin(post: FormPost): Promise<{ form: FormVisit; proof: VisitProof }> {
    const { data, proxyState } = post;
    const { flow, settings, survey } = data;
    const { href, details } = takeContactDetails(post.href);
    const { state: told, ...contact } = details;
    const { secret = '', ...visit } = newVisit(survey.path, {
      href,
      // The page of all cannot tell where its visitor came from: nothing of them is in it.
      referrer: '',
      now: now().getTime(),
    });
    const counting = (state: string | undefined) =>
      stateThatCounts(state, settings.dateOfBirthStates);
    visit.state = counting(told) ?? counting(proxyState);
    visit.flowVersion = data.flowVersion;
    return {
      proof: { leadId: visit.session.lead_id, secret },
      form: {
        visit,
        state: {
          ...initialState(flow),
          drafts: await prefilled(post, affiliateOf(survey, visit), contact),
        },
        search: new URL(href).search,
        seq: 0,
        shownAt: '',
        more: {},
        begunBy: { address: post.visitor.address, userAgent: post.visitor.userAgent },
      },
    };
  }

  async function prefilled(request: FormRequest, affid: string, contact: ContactDetails) {
    const { flow, settings } = request.data;
    const isAsked = settings.prefill && Object.keys(contact).length > 0;
    const isOn = isAsked && (await lookUps.isPrefilled(request, affid));
    return isOn ? prefillDrafts(flow, contact) : {};
  }

  async function takeOne(
    post: FormPost,
    own: readonly VisitProof[],
  ): Promise<FormOutcome | undefined> {
    const { data, isFirst, fields } = post;
    const { flow, survey } = data;
    const sent = await sentBy(post, own);
    if (sent) return sent;
    const known = await load(post);
    const found = known && (!isFirst || isBegunBy(known, post.visitor)) ? known : undefined;
    if (!found && !isFirst) return undefined;
    // The lead is taken: the same post again, or one of another tab, leads where the first one did.
    if (found?.hasLead && !isFirst) return { goTo: endOf(survey, found.form) };
    const present = found?.hasLead ? undefined : found;
    const begun =
      present && post.proof
        ? { form: landed(post, present.form, now().getTime()), proof: post.proof }
        : await begin(post);
    const context = walkContext(data, calendar(now()), begun.form.visit);
    const step = postedValue(fields, 'step') ?? '';
    const { form, proof } = asOwn(post, begun, own[0], present !== undefined, context, step);
    const tapped = withFirstTap(data, form, fields);
    if (!stateAt(flow, tapped.state, step, context)) {
      // Not a step of this visit's way: nothing is taken of it.
      const at = lastOfWay(flow, form.state.given, context);
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
      isTakenUp: present !== undefined && isFirst,
      lastSeq: present?.lastSeq ?? 0,
      before: firstEntries(data, form, tapped),
      form: withMore(tapped, fields),
    });
  }

  /** Where the lead went that this first form sent already; undefined: it sent none. */
  async function sentBy(
    post: FormPost,
    own: readonly VisitProof[],
  ): Promise<FormOutcome | undefined> {
    const { survey } = post.data;
    for (const proof of own) {
      const earlier = await load({ ...post, proof });
      if (earlier?.hasLead) return { goTo: endOf(survey, earlier.form), proof };
    }
    // With the cookie of a visit that was there before, the lead is that visit's.
    const known = own.length > 0 ? await load(post) : undefined;
    const isSame = own.some(({ leadId }) => leadId === known?.form.firstForm);
    return known?.hasLead && isSame ? { goTo: endOf(survey, known.form) } : undefined;
  }

  async function answer(taking: Taking): Promise<FormOutcome> {
    const { post, form, context, step, proof } = taking;
    const { data, fields } = post;
    const { flow, survey } = data;
    const { given, drafts } = form.state;
    const taken = takeForm({ data, context, state: { ...form.state, at: step } }, fields);
    switch (taken.type) {
      case 'over':
        return { goTo: survey.path + form.search, proof: null };
      case 'back': {
        const { steps } = walk(flow, given, context, step);
        const at = steps.at(-2) ?? flow.start;
        const entries: Entry[] = [{ kind: 'back', step, answers: {}, seconds: secondsOn(form) }];
        const state = { ...form.state, ...staying(at), drafts: { ...drafts, [step]: taken.typed } };
        await move(taking, { ...form, state }, entries);
        return { goTo: stepAddress(survey.path, at), proof };
      }
      case 'edited': {
        const state = {
          ...form.state,
          ...staying(step),
          drafts: { ...drafts, [step]: taken.typed },
        };
        await keep(taking, { ...form, state });
        return { goTo: `${stepAddress(survey.path, step)}#field-${taken.pressed}`, proof };
      }
      case 'refused': {
        const found = await lookUps.problemsOf(taking, taken.answers, taken.errors);
        return refuse(taking, taken.typed, { ...found.errors, ...taken.errors });
      }
      case 'answered': {
        const found = await lookUps.problemsOf(taking, taken.answers, {});
        if (Object.keys(found.errors).length > 0) return refuse(taking, taken.typed, found.errors);
        const { acceptedEmail } = found;
        const accepted = acceptedEmail === undefined ? form : { ...form, acceptedEmail };
        return goOn({ ...taking, form: accepted }, taken.answers);
      }
    }
  }

  /** The step is answered by these, and nothing is wrong with them. */
  async function goOn(taking: Taking, values: Answers): Promise<FormOutcome> {
    const { post, form, context, step, isTakenUp, proof } = taking;
    const { flow, survey } = post.data;
    const { submits, finds } = stepOf(flow, step);
    lookUps.begin(taking, values);
    if (submits) return send(taking, values);
    const answers = finds ? await lookUps.withFound(taking, values) : values;
    const { given, drafts } = form.state;
    const here = { ...initialState(flow), given, drafts, at: step };
    const next = reduce(flow, context, here, { type: 'answered', screen: here.screen, answers });
    const at = isTakenUp && step === flow.start ? lastOfWay(flow, next.given, context) : next.at;
    const resumed = at !== next.at;
    const state = {
      ...form.state,
      ...staying(at),
      given: next.given,
      drafts: next.drafts,
      resumed,
    };
    await move(taking, { ...form, state }, [
      { kind: 'answered', step, answers, seconds: secondsOn(form) },
    ]);
    return { goTo: stepAddress(survey.path, at), proof };
  }

  /** The form is shown again, with what was typed and what is wrong with it. */
  async function refuse(taking: Taking, typed: Answers, errors: Errors): Promise<FormOutcome> {
    const { post, form, step, proof } = taking;
    const { drafts, refusals, shortTexts } = form.state;
    const state: FormState = {
      ...form.state,
      at: step,
      resumed: false,
      drafts: { ...drafts, [step]: typed },
      errors,
      refusals: refusals + 1,
      shortTexts: shortTexts + Number(isShortText(errors)),
    };
    await keep(taking, { ...form, state });
    const [first] = Object.keys(errors);
    const where = first === undefined ? '' : `#field-${first}`;
    return { goTo: stepAddress(post.data.survey.path, step) + where, proof };
  }

  /** The lead is sent: the same body as the page's script posts, through the same use case. */
  async function send(taking: Taking, values: Answers): Promise<FormOutcome> {
    const { post, form, context, step, lead, visitor, proof } = taking;
    const { data } = post;
    const { flow, survey, settings } = data;
    const { submit } = flow;
    const given = { ...form.state.given, [step]: values };
    const { answers } = walk(flow, given, context);
    const place = await lookUps.wholePlaceOf(taking, answers.zip_code);
    const { derived, decision, ...ruled } = deriveFields({
      answers: place ? { ...answers, state: place.state } : answers,
      today: context.today,
      rules: flow.rules,
      settings,
      checks: await lookUps.textChecks(taking, answers.case_description),
    });
    const { qualified } = decision;
    const seconds = secondsOn(form);
    const at = now().toISOString();
    const visit = {
      ...form.visit,
      timeOnSteps: timeOn(form.visit, step, seconds),
      consentShownAt: form.visit.consentShownAt || at,
      cameBy: form.isMixed ? 'form and script' : 'form',
    };
    const body = {
      ...form.more,
      ...leadBody({
        survey,
        visit,
        answers,
        earlier: earlierAnswers(flow, given),
        derived,
        place,
        consent: consentOf(post, consentAt(data, step)),
        userAgent: visitor.userAgent,
        submittedAt: at,
      }),
    };
    const entries: Entry[] = [{ kind: 'submitted', step, answers: values, seconds }];
    const seq = await record(taking, form, entries);
    await useCases.acceptLead(body, visitor);
    const showsMeter = new URLSearchParams(form.search).get('show-meter') === 'yes';
    const level = showsMeter
      ? await lookUps.estimate(taking, chosen(data.fields, answers))
      : undefined;
    const affid = affiliateOf(survey, visit);
    const query = thankYouQuery(
      { ...body, affid },
      thankYouOptions(
        survey,
        submit?.thankYou,
        { qualified, answers: ruled.answers, affid },
        {
          referer: visit.session.referer,
          compensationLevel: level && String(level.compLevel),
        },
      ),
      form.search,
    );
    const ended = qualified ? undefined : submit?.disqualifiedStep;
    const sentTo = ended ? stepAddress(survey.path, ended) : `${survey.thankYouPath}?${query}#sent`;
    const state = { ...form.state, ...staying(ended ?? step), given, drafts: {} };
    // The lead is there: its visitor goes on, whatever becomes of what is kept of the visit.
    await keep(taking, { ...form, visit, state, seq, sentTo, more: {} }).catch((error: unknown) =>
      log.error({ err: error, lead_id: lead.leadId }, 'A visit could not be kept after its lead'),
    );
    return { goTo: sentTo, proof };
  }

  /** Goes to the step of `form.state`: what happened is saved as the page's script saves it. */
  async function move(taking: Taking, form: FormVisit, entries: readonly Entry[]): Promise<void> {
    const { flow } = taking.post.data;
    const { at } = form.state;
    const shownAt = now().toISOString();
    const [left] = entries;
    const { kind, mapsLead } = stepOf(flow, at);
    const visit = {
      ...form.visit,
      ...(left?.seconds !== undefined && {
        timeOnSteps: timeOn(form.visit, left.step, left.seconds),
      }),
      ...(kind === 'contact' && { consentShownAt: shownAt }),
    };
    const viewed: Entry = { kind: 'viewed', step: at, answers: {} };
    const seq = await record(taking, form, [...entries, viewed]);
    await keep(taking, { ...form, visit, shownAt, seq });
    if (mapsLead) lookUps.map(taking);
  }

  /** Saves entries of progress. @returns the last entry's number */
  async function record(
    { visitor, lastSeq, before }: Taking,
    { visit }: FormVisit,
    happened: readonly Entry[],
  ): Promise<number> {
    const at = now().toISOString();
    const entries = [...before, ...happened];
    const data = entries.map((entry, index) => ({ ...entry, seq: lastSeq + index + 1, at }));
    const saved = await useCases.saveProgress({ session: visit.session, data }, visitor);
    if (!saved.userBackupStatus) throw new StoreUnavailableError('A step could not be saved');
    return lastSeq + entries.length;
  }

  const keep = ({ lead }: Taking, form: FormVisit) => store.keep(lead, form);

  const secondsOn = ({ shownAt }: FormVisit): number =>
    shownAt === '' ? 0 : Math.max(0, Math.round((now().getTime() - Date.parse(shownAt)) / 1000));

  return {
    /**
     * Takes one post.
     * @returns undefined where the visit that it is of cannot be found
     * @throws StoreUnavailableError
     * @throws OverLimitError
     */
    async take(post: FormPost): Promise<FormOutcome | undefined> {
      const own = await ownVisits(post, store.digest, now);
      const ids = new Set([post.proof, own[0]].flatMap((proof) => (proof ? [proof.leadId] : [])));
      // In one order everywhere, so that no two posts wait for each other.
      return [...ids].sort().reduce(
        (work, id) => () => inTurn(id, work),
        () => takeOne(post, own),
      )();
    },

    /**
     * What a page of a visit shows: the step that is asked for, where it is on the visit's way; else an
     * address to go to. Undefined: there is no such visit.
     * @throws StoreUnavailableError
     */
    async show(
      request: FormRequest,
      step: string | undefined,
    ): Promise<FormPage | { readonly goTo: string } | undefined> {
      const { data } = request;
      const { flow, survey } = data;
      const found = await load(request);
      if (!found) return undefined;
      const { form, hasLead } = found;
      const context = walkContext(data, calendar(now()), form.visit);
      if (hasLead) {
        const isEnd = step !== undefined && form.sentTo === stepAddress(survey.path, step);
        if (!isEnd) return { goTo: survey.path };
        const { given } = form.state;
        return { form, state: { ...initialState(flow), given, at: step, phase: 'ended' } };
      }
      const state = step === undefined ? undefined : stateAt(flow, form.state, step, context);
      if (!state) return { goTo: stepAddress(survey.path, stepToShow(data, form, context)) };
      const { given, drafts, at, errors } = state;
      const zip = drafts[at]?.zip_code ?? given[at]?.zip_code;
      const place = zip && !errors.zip_code ? await lookUps.placeText(request, zip) : '';
      return { form, state: { ...state, place } };
    },
  };
}

/** The step that a visit stands at, where that is on its way still. */
function stepToShow(
  { flow }: SurveyPageData,
  { state }: FormVisit,
  context: Taking['context'],
): string {
  const isOnWay = stateAt(flow, state, state.at, context) !== undefined;
  return isOnWay ? state.at : lastOfWay(flow, state.given, context);
}

/** Where a visit went with its lead; the page of thanks, where that could not be kept. */
function endOf({ thankYouPath }: Survey, { sentTo }: FormVisit): string {
  return sentTo ?? `${thankYouPath}#sent`;
}

function ownerOf({ leadId, secret }: VisitProof): { leadId: string; secretSha256: string } {
  return { leadId, secretSha256: hash('sha256', secret, 'base64url') };
}

/** What of the state changes where a visit comes to a step. */
function staying(at: string): Pick<FormState, 'at' | 'errors' | 'refusals' | 'resumed'> {
  return { at, errors: {}, refusals: 0, resumed: false };
}

/** A visit that comes by the page of all again: by a click of its own, if the address has one. */
function landed({ isFirst, href: given }: FormPost, form: FormVisit, nowMs: number): FormVisit {
  if (!isFirst) return form;
  const { href } = takeContactDetails(given);
  const visit = takenUp(form.visit, { href, referrer: '', now: nowMs });
  return { ...form, visit, search: new URL(href).search };
}
