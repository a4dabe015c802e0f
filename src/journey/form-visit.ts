import type { Answers } from '../domain/answers.ts';
import { readTracking } from '../domain/tracking.ts';
import { type Flow, stepOf } from '../flows/engine/flow.ts';
import { type WalkContext, walk } from '../flows/engine/walk.ts';
import { initialState, type JourneyState, resumedState } from './state.ts';
import type { Visit } from './visit.ts';

/** What is kept of the state between two pages of a visit. */
export type FormState = Pick<
  JourneyState,
  'given' | 'drafts' | 'prefilled' | 'at' | 'errors' | 'refusals' | 'shortTexts' | 'resumed'
>;

/**
 * A visit that goes by posts of its forms, as it is kept between them: plain JSON
 * (docs/specification.md#without-javascript). Its secret is not in it: the visitor's cookie has that.
 */
export type FormVisit = {
  readonly visit: Visit;
  readonly state: FormState;
  /** The page's query as the visitor came by it, without contact details. */
  readonly search: string;
  /** The last entry of its progress that is in it; 0: none yet. */
  readonly seq: number;
  /** When the step on screen was sent to the browser (ISO 8601, UTC), or empty. */
  readonly shownAt: string;
  /** The blocked e-mail address that was given a second time, and is accepted since. */
  readonly acceptedEmail?: string;
  /** What was posted under names that nobody asked for; posted with the lead. */
  readonly more: Readonly<Record<string, string>>;
  /** Steps were also answered by the page's script. */
  readonly isMixed?: true;
  /** The browser that began it by a form; the page's script is known by its first click. */
  readonly begunBy?: { readonly address: string; readonly userAgent: string };
  /** The id of the first page's form that was answered last: the same form again sends no other lead. */
  readonly firstForm?: string;
  /** The lead is taken: where its visitor went, a path with its query. */
  readonly sentTo?: string;
};

/** One entry of a visit's progress, as it was saved. */
export type SavedEntry = {
  readonly seq: number;
  readonly kind: string;
  readonly step: string;
  readonly answers: Answers;
  readonly seconds: number | null;
  /** ISO 8601 */
  readonly at: string | null;
};

/** The click of a visit, as its first save told it. */
export type SavedClick = {
  readonly id: string;
  readonly landing_page: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
};

/** A visit that the page's script began, as far as its saves tell of it: the script is not there any more. */
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
    more: {},
    isMixed: true,
  };
}

/** A visit with what the page's script saved since: its answers, and where it stood. */
export function withSaves(
  flow: Flow,
  form: FormVisit,
  entries: readonly SavedEntry[],
  context: WalkContext,
): FormVisit {
  if (entries.length === 0) return form;
  const visit = { ...form.visit };
  // Without a prototype: a saved step may be named `__proto__`.
  const given: Record<string, Answers> = Object.assign(Object.create(null), form.state.given);
  let { at } = form.state;
  let { shownAt } = form;
  for (const { kind, step, answers, seconds, at: time } of entries) {
    if (kind !== 'viewed' && seconds !== null) visit.timeOnSteps = timeOn(visit, step, seconds);
    if (kind === 'answered') given[step] = answers;
    if (kind !== 'viewed') continue;
    at = step;
    shownAt = time ?? '';
    if (flow.steps[step]?.kind === 'contact') visit.consentShownAt = shownAt;
  }
  const { drafts } = form.state;
  const state = { ...form.state, ...resumedState(flow, { given, drafts, at }, context) };
  return {
    ...form,
    visit,
    state: { ...state, resumed: false, errors: {}, refusals: 0 },
    seq: entries.at(-1)?.seq ?? form.seq,
    shownAt,
    isMixed: true,
  };
}

/** `timeOnSteps` with one step more. */
export function timeOn({ timeOnSteps }: Visit, step: string, seconds: number): string {
  return `${timeOnSteps}${timeOnSteps && '|'}${step}:${Math.round(seconds)}`;
}

/** The whole state of a visit at one of the steps of its way; undefined: that step is not on it. */
export function stateAt(
  flow: Flow,
  { given, drafts, prefilled = {}, at, errors, refusals, shortTexts, resumed }: FormState,
  step: string,
  context: WalkContext,
): JourneyState | undefined {
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
    ...(isThere && { errors, refusals, resumed }),
  };
}

/** The last step of the way of the answers given: where the visit goes on. */
export function lastOfWay(flow: Flow, given: FormState['given'], context: WalkContext): string {
  return walk(flow, given, context).steps.findLast((step) => !isSending(flow, step)) ?? flow.start;
}

/** Whether a step only shows while the lead is on its way. */
function isSending(flow: Flow, name: string): boolean {
  return stepOf(flow, name).kind === 'sending';
}
