/** Loads and stores the visits of visitors without JavaScript. */

import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { takeContactDetails } from '../../model/fields/contact-parameters.ts';
import type { CalendarDate } from '../../model/fields/dates.ts';
import { stepOf } from '../../model/flows/engine/flow.ts';
import { storable } from '../../model/lead/body.ts';
import type { PublishedConsent } from '../../model/lead/consent.ts';
import type { Visitor } from '../../model/lead/context.ts';
import type { PersonKey } from '../../model/lead/person-key.ts';
import { stateFragment, thankYouFragments } from '../../model/messages/page-manifest.ts';
import type { ProgressEntry } from '../../model/messages/progress.ts';
import {
  type FormState,
  type FormVisit,
  lastOnPath,
  type SavedClick,
  type SavedEntry,
  stateAt,
  visitOfSaves,
  withSaves,
} from '../../model/visit/form-visit.ts';
import type { PostedFields } from '../../model/visit/posted-form.ts';
import { prefillDrafts } from '../../model/visit/prefill.ts';
import { initialState, type SurveyData, walkContext } from '../../model/visit/state.ts';
import {
  affiliateOf,
  listedState,
  newVisit,
  resumedVisit,
  timeOn,
  VISIT_LIFETIME_MS,
  visitOn,
} from '../../model/visit/visit.ts';
import type { Checks } from '../checks/index.ts';
import type { Clock } from '../platform/clock.ts';
import { formKeys } from '../platform/database/contact-keys.ts';
import { persistently } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import { OverLimitError, StoreUnavailableError } from '../platform/errors.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';
import type { AcceptLead } from './accept-lead.ts';
import { type AddressBytes, tooManyBytes } from './post-limits.ts';
import type { FormTurns } from './repeated-forms.ts';
import type { SaveProgress } from './save-progress.ts';

export type FormParts = {
  readonly store: FormVisitStore;
  readonly digest: KeyedDigest;
  readonly inTurn: FormTurns;
  readonly addressBytes: AddressBytes;
  readonly useCases: Checks & {
    readonly acceptLead: AcceptLead;
    readonly saveProgress: SaveProgress;
  };
  /** Every consent text ever published. */
  readonly consents: readonly PublishedConsent[];
  readonly calendar: (moment: Date) => CalendarDate;
  readonly log: Pick<Logger, 'error'>;
  readonly now: Clock;
};

/** The lead id and the secret in a visitor's cookie. */
export type VisitProof = { readonly leadId: string; readonly secret: string };

/** The redirect after a posted form. */
export type FormOutcome = {
  readonly goTo: string;
  /** The new value of the visitor's cookie; null deletes the cookie. */
  readonly proof?: VisitProof | null;
};

export type FormRequest = {
  readonly data: SurveyData;
  readonly proof: VisitProof | undefined;
  /** True if the cookie can only have been set by this host. */
  readonly isBound: boolean;
  /** The visitor who sent the request. */
  readonly visitor: Visitor;
  /** Returns whether the visitor's IP address may cause another check by a third party. */
  readonly mayCheck: () => Promise<boolean>;
};

export type FormPost = FormRequest & {
  readonly fields: PostedFields;
  /** True if the form was on the survey's first page, which is the same for all visitors. */
  readonly isFirst: boolean;
  readonly href: string;
  /** The page that the visitor opened with the newest ad click. */
  readonly landing: { readonly href: string; readonly referrer: string };
};

export type FormInProgress = {
  readonly post: FormPost;
  readonly proof: VisitProof;
  readonly lead: OwnedLead;
  readonly visitor: Visitor;
  readonly context: ReturnType<typeof walkContext>;
  readonly step: string;
  /** True if the visitor already had a visit and posted the first page again. */
  readonly isResumed: boolean;
  readonly lastSeq: number;
  /** Progress entries about the first question, which must be saved before other entries. */
  readonly before: readonly Entry[];
  readonly form: FormVisit;
};

export type Entry = Omit<ProgressEntry, 'seq' | 'at'>;

/** A stored visit, with the form that was posted last. */
export type StoredFormVisit = {
  readonly survey: string;
  /** The form that was posted last; null if it is too old or does not exist. */
  readonly form: FormVisit | null;
  readonly hasLead: boolean;
  /** The US state whose law keeps the lead from law firms; '' if no law does. */
  readonly closed: string;
  /** The start of the visit in ISO 8601. */
  readonly startedAt: string;
  readonly click: SavedClick | null;
  /** The IP address and the user agent of the visit's first ad click; null without a click. */
  readonly begunBy: Pick<Visitor, 'address' | 'userAgent'> | null;
  /** The sequence number of the last progress entry; 0 if there is none. */
  readonly lastSeq: number;
  readonly entries: readonly SavedEntry[];
};

/** Maximum number of progress entries to read. A normal visit has about 40 entries. */
const MOST_ENTRIES = 500;

/** SQL: loads a recent visit by id and secret. */
const LOAD = `
select v.survey, v.form, exists (select 1 from leads l where l.id = v.lead_id) as "hasLead",
  coalesce((select coalesce(rule->'inputs'->>'decided_by', rule->'inputs'->>'state')
    from leads l join lead_revisions r on r.lead_id = l.id and r.revision = l.revision,
      json_array_elements(r.decisions) as rule
    where l.id = v.lead_id and (rule->'inputs'->>'may_be_sold' = 'no'
      or rule->>'rule' = 'health_authorization' and rule->>'result' <> 'yes') limit 1), '') as closed,
  v.created_at as "startedAt",
  (select jsonb_build_object('id', c.id, 'landing_page', coalesce(c.landing_page, ''), 'params', c.params,
      'referer', coalesce(c.referer, ''))
    from clicks c where c.lead_id = v.lead_id order by c.created_at desc limit 1) as click,
  (select jsonb_build_object('address', coalesce(c.ip, ''), 'userAgent', coalesce(c.user_agent, ''))
    from clicks c where c.lead_id = v.lead_id order by c.created_at limit 1) as "begunBy",
  (select coalesce(max(seq), 0) from progress p where p.lead_id = v.lead_id) as "lastSeq",
  coalesce((select jsonb_agg(jsonb_build_object('seq', seq, 'kind', kind, 'step', step,
      'answers', answers, 'seconds', seconds, 'at', at) order by seq)
    from (select * from progress p where p.lead_id = v.lead_id
      and p.seq > coalesce((v.form->>'seq')::int, 0) order by seq desc limit ${MOST_ENTRIES}) as newest
  ), '[]') as entries
from visits v
where v.lead_id = $1 and v.secret_sha256 = $2 and v.erased_at is null
  and v.seen_at > now() - $3::float8 * interval '1 millisecond'`;

/** SQL: stores the visit, unless a newer form of the visit is already stored. */
const SAVE = `
insert into visits (lead_id, secret_sha256, survey, form, form_keys)
values ($1, $2, $3, $4::jsonb, $5::text[])
on conflict (lead_id) do update set form = excluded.form, form_keys = excluded.form_keys,
  survey = excluded.survey, seen_at = now()
where visits.secret_sha256 = excluded.secret_sha256 and visits.erased_at is null
  and coalesce((visits.form->>'seq')::int, 0) <= (excluded.form->>'seq')::int`;

type FormVisitStore = ReturnType<typeof createFormVisitStore>;

/** Creates the store of visits without JavaScript. Its functions throw StoreUnavailableError. */
export function createFormVisitStore(pool: pg.Pool, personKey: PersonKey) {
  return {
    /** Returns the visit; undefined if the visit is unknown or too old. */
    load: (
      { leadId, secretSha256 }: OwnedLead,
      maxAgeMs: number,
    ): Promise<StoredFormVisit | undefined> =>
      storeErrors(async () => {
        const values = [leadId, secretSha256, maxAgeMs];
        const query = { name: 'form-visit-load', text: LOAD, values };
        type Row = Omit<StoredFormVisit, 'startedAt'> & { startedAt: Date };
        const { rows } = await persistently(() => pool.query<Row>(query), { idempotent: true });
        return rows[0] && { ...rows[0], startedAt: rows[0].startedAt.toISOString() };
      }),
    save: ({ leadId, secretSha256 }: OwnedLead, form: FormVisit): Promise<void> =>
      storeErrors(async () => {
        const { survey } = form.visit.session;
        const stored = storable(form);
        const values = [
          ...[leadId, secretSha256, survey, JSON.stringify(stored)],
          formKeys(personKey, stored),
        ];
        const query = { name: 'form-visit-save', text: SAVE, values };
        await persistently(() => pool.query(query), { idempotent: true });
      }),
  };
}

/** Number of sequence numbers left free for entries that the page's script sends later. */
const SEQ_GAP = 100;

export type FormVisits = ReturnType<typeof createFormVisits>;

export function createFormVisits(parts: FormParts) {
  const { store, addressBytes, calendar, now } = parts;
  const { saveProgress } = parts.useCases;

  const contextOf = (data: SurveyData, { visit }: Pick<FormVisit, 'visit'>) =>
    walkContext(data, calendar(now()), visit);

  /** Loads the visit that the cookie names; undefined if there is no such visit. */
  async function load({ data, proof }: FormRequest) {
    if (!proof) return undefined;
    const stored = await store.load(ownerOf(proof), VISIT_LIFETIME_MS);
    const { path, translation } = data.survey;
    if (!stored || (stored.survey !== path && stored.survey !== translation)) return undefined;
    const { begunBy, click, hasLead, closed, entries, lastSeq, startedAt } = stored;
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
      closed,
      begunBy: stored.form?.begunBy ?? begunBy,
    };
  }

  /** Starts a visit when the first page is posted. */
  async function begin(
    post: FormPost,
    isPrefilled: (affid: string) => Promise<boolean>,
  ): Promise<{ form: FormVisit; proof: VisitProof }> {
    const { data } = post;
    const { flow, settings, survey } = data;
    const { href, details } = takeContactDetails(post.href);
    const landing = { ...withoutDetails(post.landing), now: now().getTime() };
    const { state: stateInUrl, ...contact } = details;
    const { secret = '', ...visit } = newVisit(survey.path, landing);
    const counting = (state: string | undefined) => listedState(state, settings);
    visit.state = counting(stateInUrl) ?? counting(post.visitor.state);
    visit.flowVersion = data.flowVersion;
    const isAsked = settings.prefill && Object.keys(contact).length > 0;
    const drafts =
      isAsked && (await isPrefilled(affiliateOf(survey, visit)))
        ? prefillDrafts(flow, contact)
        : {};
    return {
      proof: { leadId: visit.session.lead_id, secret },
      form: {
        visit,
        state: { ...initialState(flow), drafts, prefilled: drafts },
        search: new URL(href).search,
        seq: 0,
        shownAt: '',
        begunBy: { address: post.visitor.address, userAgent: post.visitor.userAgent },
      },
    };
  }

  /** Updates the visit if the visitor opened the first page again. */
  function landedAgain({ isFirst, href, landing }: FormPost, form: FormVisit): FormVisit {
    if (!isFirst) return form;
    const visit = resumedVisit(form.visit, { ...withoutDetails(landing), now: now().getTime() });
    return { ...form, visit, search: new URL(takeContactDetails(href).href).search };
  }

  /** Stores the visit. @throws OverLimitError if the IP address has stored too many bytes */
  async function save({ lead, visitor }: FormInProgress, form: FormVisit): Promise<void> {
    const bytes = Buffer.byteLength(JSON.stringify(form));
    if (!(await addressBytes.take(visitor.networkKey, bytes, { reserve: true }))) {
      throw tooManyBytes(now);
    }
    await store.save(lead, form);
  }

  async function record(
    { visitor, lastSeq, before }: FormInProgress,
    { visit }: FormVisit,
    happened: readonly Entry[],
  ): Promise<number> {
    const at = now().toISOString();
    const entries = [...before, ...happened];
    const data = entries.map((entry, index) => ({ ...entry, seq: lastSeq + index + 1, at }));
    const saving = saveProgress({ session: visit.session, data }, visitor);
    const saved = await saving.catch((error: unknown) => {
      // The visitor goes on, although the steps beyond the limit are not stored.
      if (error instanceof OverLimitError) return { userBackupStatus: true };
      throw error;
    });
    if (!saved.userBackupStatus) throw new StoreUnavailableError('Could not save a step');
    return lastSeq + entries.length;
  }

  /** Moves the visit to the step of `form.state`, and saves progress. */
  async function move(
    posted: FormInProgress,
    form: FormVisit,
    entries: readonly Entry[],
  ): Promise<void> {
    const { flow } = posted.post.data;
    const { at } = form.state;
    const shownAt = now().toISOString();
    const [left] = entries;
    const { kind } = stepOf(flow, at);
    const visit = {
      ...form.visit,
      ...(left?.seconds !== undefined && {
        timeOnSteps: timeOn(form.visit, left.step, left.seconds),
      }),
      ...(kind === 'contact' && { consentShownAt: shownAt }),
    };
    const viewed: Entry = { kind: 'viewed', step: at, answers: {} };
    const seq = await record(posted, form, [...entries, viewed]);
    await save(posted, { ...form, visit, shownAt, seq });
  }

  const secondsOn = ({ shownAt }: FormVisit): number =>
    shownAt === '' ? 0 : Math.max(0, Math.round((now().getTime() - Date.parse(shownAt)) / 1000));

  return { contextOf, load, begin, landedAgain, save, record, move, secondsOn };
}

export function ownerOf({ leadId, secret }: VisitProof): { leadId: string; secretSha256: string } {
  return { leadId, secretSha256: hash('sha256', secret, 'base64url') };
}

/** Returns the URL of a visit's step. */
export function stepAddress(survey: string, step: string): string {
  return `${survey}/continue?step=${encodeURIComponent(step)}`;
}

/** Returns the URL of the page that the visitor sees after the lead was sent. */
export function endOf(
  { survey }: Pick<SurveyData, 'survey'>,
  { form, closed }: { readonly form: FormVisit; readonly closed: string },
): string {
  if (form.sentTo !== undefined) return form.sentTo;
  return `${survey.thankYouPath}#${closed ? stateFragment(closed) : thankYouFragments.sent}`;
}

/** Returns how the state of a visit changes when the visitor arrives at a step. */
export function arrivedAt(at: string): Pick<FormState, 'at' | 'errors' | 'refusals' | 'resumed'> {
  return { at, errors: {}, refusals: 0, resumed: false };
}

/** Returns the step that the visit's next page must show. */
export function stepToShow(
  { flow }: SurveyData,
  { state }: FormVisit,
  context: FormInProgress['context'],
): string {
  const isOnWay = stateAt(flow, state, state.at, context) !== undefined;
  return isOnWay ? state.at : lastOnPath(flow, state.given, context);
}

function withoutDetails(landing: FormPost['landing']): FormPost['landing'] {
  return { ...landing, href: takeContactDetails(landing.href).href };
}
