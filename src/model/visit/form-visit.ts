import type { Answers } from '../fields/answers.ts';
import { readTracking } from '../fields/tracking.ts';
import { type Flow, stepOf } from '../flows/engine/flow.ts';
import { type WalkContext, walk } from '../flows/engine/walk.ts';
import { initialState, type VisitState } from './state.ts';
import type { Visit } from './visit.ts';

/** The part of the state stored between two pages of a visit. */
export type FormState = Pick<
  VisitState,
  'given' | 'drafts' | 'prefilled' | 'at' | 'errors' | 'refusals' | 'shortTexts' | 'resumed'
> &
  Partial<Pick<VisitState, 'unknownZips'>>;

/** A stored visit without JavaScript (docs/specification.md#without-javascript). The cookie has its secret. */
export type FormVisit = {
  readonly visit: Visit;
  readonly state: FormState;
  /** The landing page's query, without contact details. */
  readonly search: string;
  /** Number of the last progress entry included; 0 if none. */
  readonly seq: number;
  /** When the current step was sent to the browser (ISO 8601, UTC), or empty. */
  readonly shownAt: string;
  /** Posted fields that the flow does not ask; posted with the lead. */
  readonly more: Readonly<Record<string, string>>;
  /** The page's script answered some of the steps. */
  readonly isMixed?: true;
  /** The browser that began the visit by a form. The script identifies its browser by the click. */
  readonly begunBy?: { readonly address: string; readonly userAgent: string };
  /** Id of the last answered first-page form. Posting it again must not send another lead. */
  readonly firstForm?: string;
  /** Path and query to which the visitor was sent after the lead was accepted. */
  readonly sentTo?: string;
};

export type SavedEntry = {
  readonly seq: number;
  readonly kind: string;
  readonly step: string;
  readonly answers: Answers;
  /** ISO 8601 */
  readonly at: string | null;
};

/** A visit's click, from its first save. */
export type SavedClick = {
  readonly id: string;
  readonly landing_page: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
};

/** Reconstructs a visit from the saves of the page's script, which has stopped running. */
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

/** Adds the answers that the page's script has saved since, and moves to the step that follows them. */
export function withSaves(
  flow: Flow,
  form: FormVisit,
  entries: readonly SavedEntry[],
  context: WalkContext,
): FormVisit {
  if (entries.length === 0) return form;
  const visit = { ...form.visit };
  // No prototype, because a saved step may be named `__proto__`.
  const given: Record<string, Answers> = Object.assign(Object.create(null), form.state.given);
  for (const { kind, step, answers, at } of entries) {
    if (kind === 'answered') given[step] = answers;
    const isConsent = kind === 'viewed' && flow.steps[step]?.kind === 'contact';
    if (isConsent) visit.consentShownAt = at ?? '';
  }
  const at = lastOfWay(flow, given, context);
  return {
    ...form,
    visit,
    state: { ...form.state, given, at, resumed: false, errors: {}, refusals: 0 },
    seq: entries.at(-1)?.seq ?? form.seq,
    isMixed: true,
  };
}

/** Returns a visit's full state at a step of its path, or undefined for a step off the path. */
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

/** Returns the last step on the path, where the visit continues. */
export function lastOfWay(flow: Flow, given: FormState['given'], context: WalkContext): string {
  return walk(flow, given, context).steps.findLast((step) => !isSending(flow, step)) ?? flow.start;
}

function isSending(flow: Flow, name: string): boolean {
  return stepOf(flow, name).kind === 'sending';
}
