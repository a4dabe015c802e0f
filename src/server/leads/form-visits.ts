/** Visits that are answered by posts of their forms: loaded, begun, moved to a step and kept. */
import { hash } from 'node:crypto';
import { type ContactDetails, takeContactDetails } from '../../domain/contact-parameters.ts';
import type { CalendarDate } from '../../domain/dates.ts';
import { stepOf } from '../../flows/engine/flow.ts';
import type { Survey } from '../../flows/surveys.ts';
import type { JourneyData } from '../../journey/data.ts';
import {
  type FormState,
  type FormVisit,
  lastOfWay,
  stateAt,
  timeOn,
  visitOfSaves,
  withSaves,
} from '../../journey/form-visit.ts';
import { prefillDrafts } from '../../journey/prefill.ts';
import { initialState } from '../../journey/state.ts';
import {
  affiliateOf,
  newVisit,
  stateThatCounts,
  takenUp,
  VISIT_LIFETIME_MS,
  visitOn,
} from '../../journey/visit.ts';
import { walkContext } from '../../journey/walk-context.ts';
import { tooManyBytes } from './fit-body.ts';
import type { FormLookUps } from './form-look-ups.ts';
import type { Entry, FormPost, FormRequest, Taking, VisitProof } from './form-taking.ts';
import {
  type AddressBytes,
  type Clock,
  type FormVisitStore,
  type StoredFormVisit,
  StoreUnavailableError,
} from './ports.ts';
import type { UseCases } from './use-cases.ts';

/** Between what a script saved and what a form does: room for what the script had not sent yet. */
const SEQ_GAP = 100;

/** A visit as its forms and its page's script left it. */
export type LoadedVisit = Pick<StoredFormVisit, 'begunBy' | 'hasLead'> & {
  readonly form: FormVisit;
  readonly lastSeq: number;
};

/** A visit with the proof that it is its visitor's own. */
export type BegunVisit = { readonly form: FormVisit; readonly proof: VisitProof };

export type FormVisits = ReturnType<typeof createFormVisits>;

/** Makes the parts of the use case of posted forms that read and write visits. */
export function createFormVisits(options: {
  readonly store: FormVisitStore;
  readonly saveProgress: UseCases['saveProgress'];
  readonly lookUps: FormLookUps;
  readonly addressBytes: AddressBytes;
  readonly calendar: (moment: Date) => CalendarDate;
  readonly now: Clock;
}) {
  const { store, saveProgress, lookUps, addressBytes, calendar, now } = options;

  const contextOf = (data: JourneyData, { visit }: Pick<FormVisit, 'visit'>) =>
    walkContext(data, calendar(now()), visit);

  /**
   * Returns the visit of a cookie, which may have begun on the survey's translation. Undefined: there is none of
   * this visitor and survey, or it is over a day old.
   */
  async function load({ data, proof }: FormRequest): Promise<LoadedVisit | undefined> {
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
  async function begin(post: FormPost): Promise<BegunVisit> {
    const { data, proxyState } = post;
    const { flow, settings, survey } = data;
    const { href, details } = takeContactDetails(post.href);
    const { state: told, ...contact } = details;
    const { secret = '', ...visit } = newVisit(survey.path, {
      href,
      // The shared first page cannot tell where its visitor came from.
      referrer: '',
      now: now().getTime(),
    });
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

  /** Returns a visit that comes by the shared first page again: by a click of its own, if the address has one. */
  function landed({ isFirst, href: given }: FormPost, form: FormVisit): FormVisit {
    if (!isFirst) return form;
    const { href } = takeContactDetails(given);
    const visit = takenUp(form.visit, { href, referrer: '', now: now().getTime() });
    return { ...form, visit, search: new URL(href).search };
  }

  /**
   * Keeps a visit as it is now. It is all that a visitor without a script has, so the reserve of the address
   * is there for it.
   * @throws OverLimitError for an address that has written too much
   */
  async function keep({ lead, visitor }: Taking, form: FormVisit): Promise<void> {
    const bytes = Buffer.byteLength(JSON.stringify(form));
    if (!(await addressBytes.take(visitor.networkKey, bytes, { reserve: true }))) {
      throw tooManyBytes(now);
    }
    await store.keep(lead, form);
  }

  /** Keeps where a visit went with its lead: once a visit, whatever its address has written. */
  const keepEnd = ({ lead }: Taking, form: FormVisit) => store.keep(lead, form);

  /** Saves entries of progress. @returns the last entry's number */
  async function record(
    { visitor, lastSeq, before }: Taking,
    { visit }: FormVisit,
    happened: readonly Entry[],
  ): Promise<number> {
    const at = now().toISOString();
    const entries = [...before, ...happened];
    const data = entries.map((entry, index) => ({ ...entry, seq: lastSeq + index + 1, at }));
    const saved = await saveProgress({ session: visit.session, data }, visitor);
    if (!saved.userBackupStatus) throw new StoreUnavailableError('A step could not be saved');
    return lastSeq + entries.length;
  }

  /** Goes to the step of `form.state`. What happened is saved as the page's script saves it. */
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

  /** Returns how long the step on screen has been there. */
  const secondsOn = ({ shownAt }: FormVisit): number =>
    shownAt === '' ? 0 : Math.max(0, Math.round((now().getTime() - Date.parse(shownAt)) / 1000));

  return { contextOf, load, begin, landed, keep, keepEnd, record, move, secondsOn };
}

/** Returns the owner that a proof shows. */
export function ownerOf({ leadId, secret }: VisitProof): { leadId: string; secretSha256: string } {
  return { leadId, secretSha256: hash('sha256', secret, 'base64url') };
}

/** Returns the address of a step of a visit: its own, so that caches never mix it with the shared page. */
export function stepAddress(survey: string, step: string): string {
  return `${survey}/continue?step=${encodeURIComponent(step)}`;
}

/** Returns where a visit went with its lead; the thank-you page, where that could not be kept. */
export function endOf({ thankYouPath }: Survey, { sentTo }: FormVisit): string {
  return sentTo ?? `${thankYouPath}#sent`;
}

/** Returns what of the state changes where a visit comes to a step. */
export function staying(at: string): Pick<FormState, 'at' | 'errors' | 'refusals' | 'resumed'> {
  return { at, errors: {}, refusals: 0, resumed: false };
}

/** Returns the step that a visit stands at, where that is on its way still; else the last one that is. */
export function stepToShow(
  { flow }: JourneyData,
  { state }: FormVisit,
  context: Taking['context'],
): string {
  const isOnWay = stateAt(flow, state, state.at, context) !== undefined;
  return isOnWay ? state.at : lastOfWay(flow, state.given, context);
}
