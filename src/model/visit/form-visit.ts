import type { Answers } from '../fields/answers.ts';
import { readTracking } from '../fields/tracking.ts';
import { type Flow, stepOf } from '../flows/engine/flow.ts';
import { type WalkContext, walk } from '../flows/engine/walk.ts';
import { initialState, type VisitState } from './state.ts';
import type { Visit } from './visit.ts';

/** The part of the state that the server stores between two pages. */
export type FormState = Pick<
  VisitState,
  'given' | 'drafts' | 'prefilled' | 'at' | 'errors' | 'refusals' | 'shortTexts' | 'resumed'
> &
  Partial<Pick<VisitState, 'unknownZips'>>;

/** A visit without JavaScript (docs/specification.md#without-javascript). */
export type FormVisit = {
  readonly visit: Visit;
  readonly state: FormState;
  /** The query of the first page, without contact details. */
  readonly search: string;
  /** The number of the newest event, or 0. */
  readonly seq: number;
  /** The time at which the server sent the present step (ISO 8601). */
  readonly shownAt: string;
  /** True if the visitor answered some of the steps with JavaScript. */
  readonly isMixed?: true;
  /** The browser that began the visit without JavaScript. */
  readonly begunBy?: { readonly address: string; readonly userAgent: string };
  /** The id of the first page's form. Two posts of the same form must not create two leads. */
  readonly firstForm?: string;
  /** The URL to which the server redirected the visitor after the lead was posted. */
  readonly sentTo?: string;
};

export type SavedEntry = {
  readonly seq: number;
  readonly kind: string;
  readonly step: string;
  readonly answers: Answers;
  readonly at: string | null;
};

/** The ad click that began a visit, as the database stores the click. */
export type SavedClick = {
  readonly id: string;
  readonly landing_page: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
};

/** Continues a visit that used JavaScript as a visit without JavaScript. */
export function visitOfSaves(
  flow: Flow,
  lead: { readonly leadId: string; readonly survey: string },
  click: SavedClick,
  startedAt: string,
): FormVisit {
  const { traffic_source_pool: pool, ...query } = click.params;
  const search = new URLSearchParams(query).toString();
  const tracking = readTracking(search);
  tracking.ef_transaction_id ||= click.id;
  if (pool === 'google' || pool === 'facebook') tracking.traffic_source_pool = pool;
  return {
    visit: {
      session: {
        lead_id: lead.leadId,
        survey: lead.survey,
        click_id: click.id,
        landing_page: click.landing_page,
        params: click.params,
        referer: click.referer,
        started_at: startedAt,
      },
      tracking,
      timeOnSteps: '',
      consentShownAt: '',
    },
    state: initialState(flow),
    search: search === '' ? '' : `?${search}`,
    seq: 0,
    shownAt: '',
    isMixed: true,
  };
}

/** Adds the answers in the browser's saved progress to a visit. */
export function withSaves(
  flow: Flow,
  form: FormVisit,
  entries: readonly SavedEntry[],
  context: WalkContext,
): FormVisit {
  if (entries.length === 0) return form;
  const visit = { ...form.visit };
  // Creates an object without a prototype, because a step may have the name `__proto__`.
  const given: Record<string, Answers> = Object.assign(Object.create(null), form.state.given);
  for (const { kind, step, answers, at } of entries) {
    if (kind === 'answered') given[step] = answers;
    const isConsent = kind === 'viewed' && flow.steps[step]?.kind === 'contact';
    if (isConsent) visit.consentShownAt = at ?? '';
  }
  const at = lastOnPath(flow, given, context);
  return {
    ...form,
    visit,
    state: { ...form.state, given, at, resumed: false, errors: {}, refusals: 0 },
    seq: entries.at(-1)?.seq ?? form.seq,
    isMixed: true,
  };
}

/** Returns the state at a step, or undefined if the visitor's answers do not lead to the step. */
export function stateAt(
  flow: Flow,
  form: FormState,
  step: string,
  context: WalkContext,
): VisitState | undefined {
  const { given, drafts, prefilled = {}, at, errors, refusals, shortTexts, unknownZips = 0 } = form;
  const way = walk(flow, given, context).steps;
  if (!way.includes(step) || isSending(flow, step)) return undefined;
  const isThere = step === at;
  return {
    ...initialState(flow),
    given,
    drafts,
    prefilled,
    at: step,
    shortTexts,
    unknownZips,
    ...(isThere && { errors, refusals, resumed: form.resumed }),
  };
}

/** Returns the step at which a visit continues. */
export function lastOnPath(flow: Flow, given: FormState['given'], context: WalkContext): string {
  return walk(flow, given, context).steps.findLast((step) => !isSending(flow, step)) ?? flow.start;
}

function isSending(flow: Flow, name: string): boolean {
  return stepOf(flow, name).kind === 'sending';
}
