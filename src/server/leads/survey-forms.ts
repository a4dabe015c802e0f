/**
 * The use case of a survey that is answered by posts of its forms, where no script runs
 * (docs/specification.md#without-javascript): the same pure parts as the page's runner, the same checks
 * with their limits, and at the end the same lead through the same use case.
 */
import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import type { ProgressEntry } from '../../contract/progress.ts';
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { buyersAsAnswers } from '../../domain/buyer-choice.ts';
import { type ContactDetails, takeContactDetails } from '../../domain/contact-parameters.ts';
import type { CalendarDate } from '../../domain/dates.ts';
import { deriveFields } from '../../domain/lead/derive-fields.ts';
import { normaliseValue } from '../../domain/lead/field-rules.ts';
import { isLeadField } from '../../domain/lead/lead-fields.ts';
import { thankYouQuery } from '../../domain/thank-you.ts';
import { stepOf } from '../../flows/engine/flow.ts';
import { walk } from '../../flows/engine/walk.ts';
import type { Survey } from '../../flows/surveys.ts';
import { beginning } from '../../intake/storable.ts';
import type { Visitor } from '../../intake/visitor.ts';
import {
  type FormState,
  type FormVisit,
  lastOfWay,
  stateAt,
  timeOn,
  visitOfSaves,
  withSaves,
} from '../../survey/forms/form-visit.ts';
import {
  type PostedFields,
  postedValue,
  pressedChoice,
  takeForm,
} from '../../survey/forms/posted-form.ts';
import { readConsent } from '../../survey/page/consent-html.ts';
import type { SurveyPageData } from '../../survey/page/page-data.ts';
import { thankYouOptions } from '../../survey/runner/after-submit.ts';
import { chosen } from '../../survey/runner/ask-level.ts';
import { consentAt } from '../../survey/runner/consent-at.ts';
import { leadBody } from '../../survey/runner/lead-body.ts';
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
import { type Clock, type FormVisitStore, type OwnedLead, StoreUnavailableError } from './ports.ts';
import type { UseCases } from './use-cases.ts';

/** Whose visit a cookie says it is: the lead's id, and the secret that shows it. */
export type VisitProof = { readonly leadId: string; readonly secret: string };

/** A request about a survey that is answered by forms. */
export type FormRequest = {
  /** What the survey's page is made of. */
  readonly data: SurveyPageData;
  readonly proof: VisitProof | undefined;
  /** Who asks; the secret is the proof's. */
  readonly visitor: Visitor;
};

export type FormPost = FormRequest & {
  readonly fields: PostedFields;
  /** The kept page, which is the same for all, sent it; else a page of the visit. */
  readonly isFirst: boolean;
  /** Address of the page that sent it. */
  readonly href: string;
  /** The state that a trusted proxy says the visitor is in, or ''. */
  readonly proxyState: string;
  /** Whether this address may have something looked up; what it may not is not looked up. */
  readonly mayLookUp: () => Promise<boolean>;
};

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

/** Look-ups may take so long; one that gives no answer in this time passes. */
const LOOK_UP_WAIT_MS = 4_000;
/** A first form has no visit yet: the same one again within this time is of the same visit. */
const SAME_FORM_MS = 10 * 60 * 1000;
/** Between what a script saved and what a form does: room for what the script had not sent yet. */
const SEQ_GAP = 100;
/** Of what nobody asked for. */
const MORE_FIELDS = 50;
const MORE_NAME_CHARACTERS = 100;
const MORE_VALUE_CHARACTERS = 1_000;

/** Names of the form that are no answers. */
const ownNames = ['step', 'refusals', 'go', 'first'];

/** The hidden inputs of third parties' scripts, as far as they filled them before they were gone. */
const certificateInputs: Readonly<Record<string, 'trustedform_cert_url' | 'leadid_token'>> = {
  xxTrustedFormCertUrl: 'trustedform_cert_url',
  universal_leadid: 'leadid_token',
};

export type SurveyFormsOptions = {
  readonly store: FormVisitStore;
  readonly useCases: Pick<
    UseCases,
    | 'acceptLead'
    | 'saveProgress'
    | 'lookUpZip'
    | 'checkPhone'
    | 'checkEmail'
    | 'checkText'
    | 'mapLead'
    | 'findBuyers'
    | 'estimate'
    | 'checkPrefill'
  >;
  readonly calendar: (moment: Date) => CalendarDate;
  readonly log: Pick<Logger, 'error'>;
  readonly now: Clock;
};

/** The address of a step of a visit: its own, so that caches never mix it with the page of all. */
export function stepAddress(survey: string, step: string): string {
  return `${survey}/continue?step=${encodeURIComponent(step)}`;
}

/** A visit as its forms and its page's script left it. */
type Loaded = { readonly form: FormVisit; readonly lastSeq: number; readonly hasLead: boolean };

/** A post on its way through: whose it is, and what is known of the visit so far. */
type Taking = {
  readonly post: FormPost;
  readonly proof: VisitProof;
  readonly lead: OwnedLead;
  readonly visitor: Visitor;
  readonly context: ReturnType<typeof walkContext>;
  readonly step: string;
  /** The visit was there before, and is taken up on its first page. */
  readonly isTakenUp: boolean;
  readonly lastSeq: number;
  /** What the first page did before anything of the visit was saved. */
  readonly before: readonly Entry[];
  readonly form: FormVisit;
};

type Entry = Omit<ProgressEntry, 'seq' | 'at'>;

export type SurveyForms = ReturnType<typeof createSurveyForms>;

export function createSurveyForms({ store, useCases, calendar, log, now }: SurveyFormsOptions) {
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
    const since = new Date(now().getTime() - VISIT_LIFETIME_MS);
    const stored = await store.load(ownerOf(proof), since);
    if (stored?.survey !== data.survey.path) return undefined;
    const { click, hasLead, entries, lastSeq, startedAt } = stored;
    const lead = { leadId: proof.leadId, survey: stored.survey };
    const form = stored.form ?? (click && visitOfSaves(data.flow, lead, click, startedAt));
    if (!form) return undefined;
    const context = walkContext(data, calendar(now()), form.visit);
    return {
      form: withSaves(data.flow, form, entries, context),
      lastSeq: entries.length > 0 ? lastSeq + SEQ_GAP : lastSeq,
      hasLead,
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
          drafts: await prefilled(data, affiliateOf(survey, visit), contact),
        },
        search: new URL(href).search,
        seq: 0,
        shownAt: '',
        more: {},
      },
    };
  }

  async function prefilled(
    { flow, settings }: SurveyPageData,
    affid: string,
    contact: ContactDetails,
  ) {
    const isAsked = settings.prefill && Object.keys(contact).length > 0;
    const isOn = isAsked && (await useCases.checkPrefill(affid));
    return isOn ? prefillDrafts(flow, contact) : {};
  }

  /**
   * The visits that a first form makes by itself where its step sends the lead, newest first: of this time and of
   * the time before, so that who presses twice or tries again sends one lead, with a cookie or without.
   */
  async function ownVisits({ data, visitor, fields, isFirst }: FormPost): Promise<VisitProof[]> {
    const { flow, survey } = data;
    const step = postedValue(fields, 'step') ?? '';
    const sends = Object.hasOwn(flow.steps, step) && flow.steps[step]?.submits === true;
    if (!isFirst || !sends || postedValue(fields, 'go') !== undefined) return [];
    const typed = fields
      .filter(([name]) => !(name in certificateInputs))
      .toSorted(([a], [b]) => Number(a > b) - Number(a < b));
    const { addressKey, userAgent } = visitor;
    const time = Math.floor(now().getTime() / SAME_FORM_MS);
    return Promise.all(
      [time, time - 1].map(async (each) =>
        proofOf(
          await store.digest(JSON.stringify([survey.path, each, addressKey, userAgent, typed])),
        ),
      ),
    );
  }

  async function takeOne(
    post: FormPost,
    own: readonly VisitProof[],
  ): Promise<FormOutcome | undefined> {
    const { data, isFirst, fields } = post;
    const { flow, survey } = data;
    const sent = await sentBy(post, own);
    if (sent) return sent;
    const found = await load(post);
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
        const found = await lookUp(taking, taken.answers, taken.errors);
        return refuse(taking, taken.typed, { ...found.errors, ...taken.errors });
      }
      case 'answered': {
        const found = await lookUp(taking, taken.answers, {});
        if (Object.keys(found.errors).length > 0) return refuse(taking, taken.typed, found.errors);
        const { acceptedEmail } = found;
        const accepted = acceptedEmail === undefined ? form : { ...form, acceptedEmail };
        return goOn({ ...taking, form: accepted }, taken.answers);
      }
    }
  }

  /** The step is answered by these, and nothing is wrong with them. */
  async function goOn(taking: Taking, values: Answers): Promise<FormOutcome> {
    const { post, form, context, step, isTakenUp, lead, proof } = taking;
    const { flow, survey } = post.data;
    const { submits, finds } = stepOf(flow, step);
    if (values.case_description) {
      // What it says is needed when the lead is sent; nobody waits for it now.
      void useCases.checkText(values.case_description, lead).catch(() => undefined);
    }
    if (submits) return send(taking, values);
    const answers = finds ? await withFound(taking, values) : values;
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

  /** What zip, phone and e-mail check find wrong; a service that fails or takes too long finds nothing. */
  async function lookUp(
    { post, form, lead, visitor, step }: Taking,
    values: Answers,
    wrong: Errors,
  ): Promise<{ errors: Errors; acceptedEmail?: string }> {
    const { flow, survey } = post.data;
    const asked = stepOf(flow, step).asks ?? [];
    const given = (field: AskedFieldName) =>
      asked.includes(field) && !wrong[field] ? values[field] : undefined;
    const zip = given('zip_code');
    const phone = flow.submit?.phoneCheck === 'length_only' ? undefined : given('phone');
    const email = given('email');
    if ((!zip && !phone && !email) || !(await post.mayLookUp())) return { errors: {} };

    const errors: Partial<Record<AskedFieldName, Errors[AskedFieldName]>> = {};
    let acceptedEmail: string | undefined;
    const lookUpZip = async (value: string) => {
      const { city, state, state_long, county } = await useCases.lookUpZip(value, lead);
      if (!city || !state || !state_long || !county) errors.zip_code = 'unknown_zip';
    };
    const checkPhone = async (value: string) => {
      const { valid, active, forced } = await useCases.checkPhone(value, survey.path, lead);
      if (!valid || (!active && !forced)) errors.phone = 'not_reachable';
    };
    const checkEmail = async (value: string) => {
      if (value === form.acceptedEmail) return;
      const { errors: shown, drafts, refusals } = form.state;
      const rule = post.data.fields.email;
      const typed = drafts[step]?.email ?? '';
      const isSame = rule !== undefined && normaliseValue(rule, typed) === value;
      const wasRefused = shown.email === 'not_reachable' && isSame;
      // Pressed twice before the refusal was seen: that is no second time.
      const wasSeen = postedValue(post.fields, 'refusals') === String(refusals);
      if (wasRefused && !wasSeen) errors.email = 'not_reachable';
      else if ((await useCases.checkEmail(value, lead.leadId, visitor)).blocked) {
        errors.email = 'not_reachable';
      } else if (wasRefused) acceptedEmail = value;
    };
    await inTime(
      Promise.all([
        zip && lookUpZip(zip).catch(() => undefined),
        phone && checkPhone(phone).catch(() => undefined),
        email && checkEmail(email).catch(() => undefined),
      ]),
    );
    return { errors: { ...errors }, ...(acceptedEmail && { acceptedEmail }) };
  }

  /** A zip code with what it leads to: the state, and the buyers. */
  async function withFound(taking: Taking, { zip_code = '' }: Answers): Promise<Answers> {
    const { post, form, context, step, lead, visitor } = taking;
    const { flow, survey } = post.data;
    const { tracking } = form.visit;
    const ids = {
      oid: tracking.oid ?? String(survey.offerId),
      affid: affiliateOf(survey, form.visit),
    };
    const find = async (): Promise<Answers> => {
      const { buyers } = survey;
      if (buyers && buyers !== 'fetched')
        return { '1_to_1_consent': 'yes', ...buyersAsAnswers(buyers) };
      const earlier = walk(flow, form.state.given, context, step).answers;
      const about = { ...tracking, ...ids, ...earlier, zip_code };
      const own = { lead_id: lead.leadId, survey: survey.path };
      const found = await useCases.findBuyers({ ...about, ...own }, visitor);
      return { '1_to_1_consent': found.consent, ...buyersAsAnswers(found.buyers) };
    };
    const [place, found] = await Promise.all([
      useCases.lookUpZip(zip_code, lead).catch(() => undefined),
      find().catch((): Answers => ({ '1_to_1_consent': 'no' })),
    ]);
    return { zip_code, ...(place?.state && { state: place.state }), ...found };
  }

  /** The lead is sent: the same body as the page's script posts, through the same use case. */
  async function send(taking: Taking, values: Answers): Promise<FormOutcome> {
    const { post, form, context, step, lead, visitor, proof } = taking;
    const { data } = post;
    const { flow, survey, settings } = data;
    const { submit } = flow;
    const given = { ...form.state.given, [step]: values };
    const { answers } = walk(flow, given, context);
    const zip = answers.zip_code;
    const found = zip ? await inTime(useCases.lookUpZip(zip, lead)) : undefined;
    const place =
      found?.city && found.state && found.state_long && found.county ? found : undefined;
    const text = answers.case_description;
    const { derived, decision, ...ruled } = deriveFields({
      answers: place ? { ...answers, state: place.state } : answers,
      today: context.today,
      rules: flow.rules,
      settings,
      checks: (text && (await inTime(useCases.checkText(text, lead)))) || {},
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
    const consent = consentAt(data, step);
    const body = {
      ...form.more,
      ...leadBody({
        survey,
        visit,
        answers,
        earlier: Object.fromEntries(
          Object.entries(given).filter(([name]) => !(name in flow.steps)),
        ),
        derived,
        place,
        consent: { text: readConsent(consent), version: consent.version },
        userAgent: visitor.userAgent,
        submittedAt: at,
      }),
    };
    const entries: Entry[] = [{ kind: 'submitted', step, answers: values, seconds }];
    const seq = await record(taking, form, entries);
    await useCases.acceptLead(body, visitor);
    const showsMeter = new URLSearchParams(form.search).get('show-meter') === 'yes';
    const level = showsMeter
      ? await inTime(useCases.estimate(chosen(data.fields, answers)))
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
    const { post, lead } = taking;
    const { flow, survey } = post.data;
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
    if (mapsLead) {
      const affid = Number(affiliateOf(survey, visit));
      const oid = Number(visit.tracking.oid ?? survey.offerId);
      const request = { ...lead, survey: survey.path, affid, oid };
      void useCases.mapLead(request).catch(() => undefined);
    }
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
      const own = await ownVisits(post);
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
      return { form, state: { ...state, place: await placeOf(state) } };
    },
  };

  /** City and state of the zip code in the form. */
  async function placeOf({ given, drafts, at, errors }: RunnerState): Promise<string> {
    const zip = drafts[at]?.zip_code ?? given[at]?.zip_code;
    if (!zip || errors.zip_code) return '';
    const place = await useCases.lookUpZip(zip).catch(() => undefined);
    return place?.city ? `${place.city}, ${place.state}` : '';
  }
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

/** What a first form makes its own visit of. The id is a UUID of version 8: all but its marks is ours to choose. */
function proofOf(digest: string): VisitProof {
  const [a, b, c, d, e] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => digest.slice(from, to));
  return { leadId: `${a}-${b}-8${c}-8${d}-${e}`, secret: digest.slice(32) };
}

/**
 * A visit that a first form begins and ends at once is the form's own; one that was there before only notes
 * which form it was. A form that is refused makes no visit of its own: an empty one is anybody's.
 */
function asOwn(
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

/**
 * The answer of the first screen, where the page itself had brought the next one in its place before its
 * script was there (early-taps.ts): it comes along with that one's.
 */
function withFirstTap({ flow }: SurveyPageData, form: FormVisit, fields: PostedFields): FormVisit {
  const [name, value] = (postedValue(fields, 'first') ?? '').split('=');
  if (name === undefined || value === undefined) return form;
  const choice = pressedChoice(stepOf(flow, flow.start), [[name, value]]);
  if (!choice) return form;
  const given = { ...form.state.given, [flow.start]: choice };
  return { ...form, state: { ...form.state, given } };
}

/** What is saved of the page of all with the first form that it sends. */
function firstEntries({ flow }: SurveyPageData, form: FormVisit, tapped: FormVisit): Entry[] {
  const { start } = flow;
  const answers = tapped.state.given[start] ?? {};
  return [
    ...(form.seq === 0 ? [{ kind: 'viewed', step: start, answers: {} } as const] : []),
    ...(tapped === form ? [] : [{ kind: 'answered', step: start, answers, seconds: 0 } as const]),
  ];
}

/** What was posted under names that no step asks for, and what scripts of third parties had filled in. */
function withMore(form: FormVisit, fields: PostedFields): FormVisit {
  const more: Record<string, string> = { ...form.more };
  const collected: Record<string, string> = { ...form.visit.collected };
  for (const [name, value] of fields) {
    const certificate = certificateInputs[name];
    if (certificate !== undefined) {
      if (value === '') continue;
      collected[certificate] = value;
      if (certificate !== 'trustedform_cert_url' || !URL.canParse(value)) continue;
      const id = new URL(value).pathname.split('/').findLast((part) => part !== '');
      if (id) collected.trusted_form_cert_id = id;
    } else if (!isLeadField(name) && !ownNames.includes(name)) {
      if (Object.keys(more).length >= MORE_FIELDS && !(name in more)) continue;
      more[beginning(name, MORE_NAME_CHARACTERS)] = beginning(value, MORE_VALUE_CHARACTERS);
    }
  }
  return { ...form, more, visit: { ...form.visit, collected } };
}

/** What comes in time; undefined for what does not, and for what fails. */
function inTime<Result>(work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOOK_UP_WAIT_MS);
  });
  return Promise.race([work.catch(() => undefined), over]).finally(() => clearTimeout(timer));
}
