/** Loads, begins, moves and stores visits that use forms. */
import { hash } from 'node:crypto';
import { type ContactDetails, takeContactDetails } from '../../model/fields/contact-parameters.ts';
import { stepOf } from '../../model/flows/engine/flow.ts';
import type { Survey } from '../../model/flows/surveys.ts';
import { type SurveyData, walkContext } from '../../model/visit/data.ts';
import {
  type FormState,
  type FormVisit,
  lastOfWay,
  stateAt,
  visitOfSaves,
  withSaves,
} from '../../model/visit/form-visit.ts';
import { prefillDrafts } from '../../model/visit/prefill.ts';
import { initialState } from '../../model/visit/state.ts';
import {
  affiliateOf,
  newVisit,
  resumedVisit,
  stateThatCounts,
  timeOn,
  VISIT_LIFETIME_MS,
  visitOn,
} from '../../model/visit/visit.ts';
import { StoreUnavailableError } from '../platform/errors.ts';
import { tooManyBytes } from './fit-body.ts';
import type { FormLookUps } from './form-look-ups.ts';
import type { Entry, FormParts, FormPost, FormRequest, Taking, VisitProof } from './form-taking.ts';

/** Sequence numbers left free for progress entries that the page's script has not sent yet. */
const SEQ_GAP = 100;

export type FormVisits = ReturnType<typeof createFormVisits>;

/** Creates the parts of the posted-forms use case that read and write visits. */
export function createFormVisits(parts: FormParts, lookUps: FormLookUps) {
  const { store, addressBytes, calendar, now } = parts;
  const { saveProgress } = parts.useCases;

  const contextOf = (data: SurveyData, { visit }: Pick<FormVisit, 'visit'>) =>
    walkContext(data, calendar(now()), visit);

  /**
   * Returns the visit that a cookie proves, with what forms and the page's script saved. It may have begun on the
   * survey's translation. Undefined for a visit of another survey, or one over a day old.
   */
  async function load({ data, proof }: FormRequest) {
    if (!proof) return undefined;
    const stored = await store.load(ownerOf(proof), VISIT_LIFETIME_MS);
    const { path, translation } = data.survey;
    if (!stored || (stored.survey !== path && stored.survey !== translation)) return undefined;
    const { begunBy, click, hasLead, entries, lastSeq, startedAt } = stored;
    const lead = { leadId: proof.leadId, survey: stored.survey };
    const begun = stored.form ?? (click && visitOfSaves(data.flow, lead, click, startedAt));
    if (!begun) return undefined;
    const visit = visitOn(path, begun.visit);
    visit.flowVersion ??= data.flowVersion;
    const form = { ...begun, visit };
    return {
      form: withSaves(data.flow, form, entries, contextOf(data, form)),
      lastSeq: entries.length > 0 ? lastSeq + SEQ_GAP : lastSeq,
      hasLead,
      begunBy: stored.form?.begunBy ?? begunBy,
    };
  }

  /** Starts a visit from the shared first page. */
  async function begin(post: FormPost): Promise<{ form: FormVisit; proof: VisitProof }> {
    const { data, proxyState } = post;
    const { flow, settings, survey } = data;
    const { href, details } = takeContactDetails(post.href);
    const landing = { ...withoutDetails(post.landing), now: now().getTime() };
    const { state: told, ...contact } = details;
    const { secret = '', ...visit } = newVisit(survey.path, landing);
    const counting = (state: string | undefined) =>
      stateThatCounts(state, settings.dateOfBirthStates);
    visit.state = counting(told) ?? counting(proxyState);
    visit.flowVersion = data.flowVersion;
    const drafts = await prefilled(post, affiliateOf(survey, visit), contact);
    return {
      proof: { leadId: visit.session.lead_id, secret },
      form: {
        visit,
        state: { ...initialState(flow), drafts, prefilled: drafts },
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

  /** Updates a visit that lands on the shared first page again. A click in the address replaces the visit's own. */
  function landed({ isFirst, href, landing }: FormPost, form: FormVisit): FormVisit {
    if (!isFirst) return form;
    const visit = resumedVisit(form.visit, { ...withoutDetails(landing), now: now().getTime() });
    return { ...form, visit, search: new URL(takeContactDetails(href).href).search };
  }

  /**
   * Stores the visit. It may use the address's reserve, because a visitor without scripts has no other copy.
   * @throws OverLimitError for an address that has written too much
   */
  async function keep({ lead, visitor }: Taking, form: FormVisit): Promise<void> {
    const bytes = Buffer.byteLength(JSON.stringify(form));
    if (!(await addressBytes.take(visitor.networkKey, bytes, { reserve: true }))) {
      throw tooManyBytes(now);
    }
    await store.keep(lead, form);
  }

  /** Stores the end of a visit. This happens once per visit, so no limit applies. */
  const keepEnd = ({ lead }: Taking, form: FormVisit) => store.keep(lead, form);

  /** Saves progress entries and returns the last sequence number. */
  async function record(
    { visitor, lastSeq, before }: Taking,
    { visit }: FormVisit,
    happened: readonly Entry[],
  ): Promise<number> {
    const at = now().toISOString();
    const entries = [...before, ...happened];
    const data = entries.map((entry, index) => ({ ...entry, seq: lastSeq + index + 1, at }));
    const saved = await saveProgress({ session: visit.session, data }, visitor);
    if (!saved.userBackupStatus) throw new StoreUnavailableError('Could not save a step');
    return lastSeq + entries.length;
  }

  /** Moves to the step of `form.state` and saves the same progress entries as the page's script. */
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

  /** Returns the seconds since the current step was shown. */
  const secondsOn = ({ shownAt }: FormVisit): number =>
    shownAt === '' ? 0 : Math.max(0, Math.round((now().getTime() - Date.parse(shownAt)) / 1000));

  return { contextOf, load, begin, landed, keep, keepEnd, record, move, secondsOn };
}

/** Returns the lead id and hashed secret of a proof. */
export function ownerOf({ leadId, secret }: VisitProof): { leadId: string; secretSha256: string } {
  return { leadId, secretSha256: hash('sha256', secret, 'base64url') };
}

/** Returns the address of a visit's step, which differs from the shared page's so that caches never mix them. */
export function stepAddress(survey: string, step: string): string {
  return `${survey}/continue?step=${encodeURIComponent(step)}`;
}

/** Returns where a visit went after its lead; the plain thank-you page if that was not stored. */
export function endOf({ thankYouPath }: Survey, { sentTo }: FormVisit): string {
  return sentTo ?? `${thankYouPath}#sent`;
}

/** Returns the changes of a visit's state when it arrives at a step. */
export function staying(at: string): Pick<FormState, 'at' | 'errors' | 'refusals' | 'resumed'> {
  return { at, errors: {}, refusals: 0, resumed: false };
}

/** Returns the visit's current step if it is still on its path, else the last step of the path. */
export function stepToShow(
  { flow }: SurveyData,
  { state }: FormVisit,
  context: Taking['context'],
): string {
  const isOnWay = stateAt(flow, state, state.at, context) !== undefined;
  return isOnWay ? state.at : lastOfWay(flow, state.given, context);
}

function withoutDetails(landing: FormPost['landing']): FormPost['landing'] {
  return { ...landing, href: takeContactDetails(landing.href).href };
}
