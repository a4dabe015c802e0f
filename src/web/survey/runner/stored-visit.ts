import type { Survey } from '../../../model/flows/surveys.ts';
import type { StoredState, VisitState } from '../../../model/visit/state.ts';
import { VISIT_LIFETIME_MS, type Visit, visitOn } from '../../../model/visit/visit.ts';
import type { BrowserQueue, NewEntry } from '../queue/browser-queue.ts';
import { hintVisit, isVisitHinted, type OutboxSave, outboxKey } from '../queue/outbox.ts';
import { wait } from '../queue/requests.ts';

/** Longest wait for a stored visit before a new visit starts. */
const VISIT_WAIT_MS = 500;
/** Longest wait if the survey has a visit to resume. Must be less than `SCRIPT_WAIT_MS`. */
const HINTED_VISIT_WAIT_MS = 2_000;

type StoredVisit = { readonly visit: Visit; readonly state: StoredState };

/** Returns the newest stored visit of the survey or of its translation. */
export async function findStoredVisit(
  { outbox }: Pick<BrowserQueue, 'outbox'>,
  { path, translation }: Pick<Survey, 'path' | 'translation'>,
  now: number,
): Promise<StoredVisit | undefined> {
  const limitMs = isVisitHinted(path) ? HINTED_VISIT_WAIT_MS : VISIT_WAIT_MS;
  const visits = await Promise.race([outbox.visits(), wait(limitMs)]);
  const newest = visits
    ?.filter(
      ({ survey, saved_at, visit }) =>
        (survey === path || survey === translation) && visit && now - saved_at < VISIT_LIFETIME_MS,
    )
    .sort((a, b) => b.saved_at - a.saved_at)[0];
  const stored = newest?.visit as StoredVisit | undefined;
  return stored && { ...stored, visit: visitOn(path, stored.visit) };
}

/** Stores a visit with new progress, and marks the survey as having a visit to resume. */
export function storeVisit(
  queue: Pick<BrowserQueue, 'save'>,
  visit: Visit,
  { given, drafts, at }: StoredState,
  now: number,
  entries: readonly NewEntry[] = [],
): Promise<void> {
  const { survey, lead_id } = visit.session;
  hintVisit(survey, true);
  const content: StoredVisit = { visit, state: { given, drafts, at } };
  return queue.save(visit, entries, { survey, lead_id, saved_at: now, visit: content });
}

/** Reads the visit of a posted form from the page, and removes the visit's secret from the page. */
export function takePostedVisit(
  queue: Pick<BrowserQueue, 'outbox'>,
  stored: StoredVisit | undefined,
) {
  const element = document.getElementById('survey-visit');
  if (!element) return undefined;
  const posted: { visit: Visit; state: VisitState; seq: number } = JSON.parse(element.textContent);
  const { visit, state, seq } = posted;
  element.remove();
  const { session, secret } = visit;
  const { lead_id, params, survey } = session;
  const { traffic_source_pool: _, ...query } = params;
  const key = outboxKey('save', lead_id);
  // The server ignores an entry with a number that it already has, so new numbers are higher.
  void queue.outbox.change(key, (present) => {
    const { data = [], last_seq = 0 } = (present ?? {}) as Partial<OutboxSave>;
    const last = Math.max(seq, last_seq);
    return { ...present, kind: 'save', key, lead_id, secret, session, data, last_seq: last };
  });
  const known = stored?.visit.session.lead_id === lead_id ? stored.state.given : {};
  return {
    visit,
    state: { ...state, given: { ...known, ...state.given } },
    address: `${location.origin}${survey}?${new URLSearchParams(query)}`,
  };
}
