import type { Answers } from '../../domain/answers.ts';
import type { JourneyState } from '../../journey/state.ts';
import type { KeptState, Visit } from '../../journey/visit.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import { type OutboxSave, outboxKey } from '../queue/outbox.ts';

/** A visit in the page of one of its steps that came by a form (`#survey-visit`). */
type PostedVisit = {
  readonly visit: Visit;
  readonly state: JourneyState;
  /** Number of the last progress entry that the server has. */
  readonly seq: number;
};

/**
 * Takes the visit out of a page that answers a posted form. Removes its secret from the document,
 * where scripts that record pages could read it. Adds the answers and input that this browser
 * stored and the server never received.
 *
 * @returns undefined on a shared page. `address`: the survey's address with the visitor's query;
 * `isWhole`: the page shows exactly this state
 */
export function takePostedVisit(
  queue: Pick<BrowserQueue, 'outbox'>,
  kept: { readonly visit: Visit; readonly state: KeptState } | undefined,
) {
  const element = document.getElementById('survey-visit');
  if (!element) return undefined;
  const { visit, state, seq } = JSON.parse(element.textContent ?? '') as PostedVisit;
  element.remove();
  const { session, secret } = visit;
  const { lead_id, params, survey } = session;
  const { traffic_source_pool: _, ...query } = params;
  // New entries continue these numbers: of two entries with one number the server keeps the first.
  void queue.outbox.change(outboxKey('save', lead_id), (present) => ({
    ...({
      kind: 'save',
      key: outboxKey('save', lead_id),
      lead_id,
      secret,
      session,
      data: [],
    } as const),
    ...(present as OutboxSave | undefined),
    last_seq: Math.max(seq, (present as OutboxSave | undefined)?.last_seq ?? 0),
  }));
  const known = kept?.visit.session.lead_id === lead_id ? kept.state : state;
  const given = { ...known.given, ...state.given };
  const drafts: Record<string, Answers> = { ...state.drafts };
  for (const step in known.drafts) {
    // Input in a form that was submitted since is obsolete.
    if (known.given[step] || !state.given[step]) drafts[step] ??= known.drafts[step] as Answers;
  }
  return {
    visit,
    state: { ...state, given, drafts },
    address: `${location.origin}${survey}?${new URLSearchParams(query)}`,
    isWhole:
      drafts[state.at] === state.drafts[state.at] &&
      Object.keys(given).length === Object.keys(state.given).length,
  };
}
