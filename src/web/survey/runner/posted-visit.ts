import type { StoredState, VisitState } from '../../../model/visit/state.ts';
import type { Visit } from '../../../model/visit/visit.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import { type OutboxSave, outboxKey } from '../queue/outbox.ts';

/** A visit in the page of one of its steps that came by a form (`#survey-visit`). */
type PostedVisit = {
  readonly visit: Visit;
  readonly state: VisitState;
  /** Number of the last progress entry that the server has. */
  readonly seq: number;
};

/**
 * Takes the visit out of a page that answers a posted form. Removes its secret from the document, where scripts that
 * record pages could read it. Adds the answers that this browser stored and the server never received.
 *
 * @returns undefined on a shared page. `address`: the survey's address with the visitor's query
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
  // New entries continue these numbers: of two entries with one number the server keeps the first.
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
