import type { StoredState, VisitState } from '../../../model/visit/state.ts';
import type { Visit } from '../../../model/visit/visit.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import { type OutboxSave, outboxKey } from '../queue/outbox.ts';

/** The visit in a page that answers a posted form (`#survey-visit`). */
type PostedVisit = {
  readonly visit: Visit;
  readonly state: VisitState;
  /** Number of the last progress entry that the server has stored. */
  readonly seq: number;
};

/**
 * Takes the visit out of a page that answers a posted form. Removes the visit's secret from the document, so that
 * scripts that record pages cannot read it. Adds the answers that only this browser has.
 *
 * @returns undefined if the page contains no visit. `address`: the survey's address with the visitor's query
 */
export function takePostedVisit(
  queue: Pick<BrowserQueue, 'outbox'>,
  kept: { readonly visit: Visit; readonly state: StoredState } | undefined,
) {
  const element = document.getElementById('survey-visit');
  if (!element) return undefined;
  const { visit, state, seq } = JSON.parse(element.textContent ?? '') as PostedVisit;
  element.remove();
  const { session, secret } = visit;
  const { lead_id, params, survey } = session;
  const { traffic_source_pool: _, ...query } = params;
  const key = outboxKey('save', lead_id);
  // New entries continue the server's numbers, because the server ignores a second entry with the
  // same number.
  void queue.outbox.change(key, (present) => {
    const { data = [], last_seq = 0 } = (present ?? {}) as Partial<OutboxSave>;
    const last = Math.max(seq, last_seq);
    return { ...present, kind: 'save', key, lead_id, secret, session, data, last_seq: last };
  });
  const known = kept?.visit.session.lead_id === lead_id ? kept.state.given : {};
  return {
    visit,
    state: { ...state, given: { ...known, ...state.given } },
    address: `${location.origin}${survey}?${new URLSearchParams(query)}`,
  };
}
