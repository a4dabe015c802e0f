/** What decides whether and where a disqualified visitor's partner page opens. */
export type PartnerVisit = {
  /** The partner's click-tracking page; empty: none. */
  readonly partnerUrl: string;
  readonly closedStates: readonly string[];
  /** Undefined while it is not known. */
  readonly state: string | undefined;
  readonly transactionId: string;
  readonly affid: string;
  readonly sub_id: string;
};

/**
 * The partner page's address for a disqualified visitor, carrying transaction id, affid and sub_id
 * (docs/specification.md#partner-tab); undefined without a partner and in the states that keep the tab
 * closed. A state that is not known closes nothing.
 */
export function partnerHref(visit: PartnerVisit): string | undefined {
  const { partnerUrl, closedStates, state, transactionId, affid, sub_id } = visit;
  if (!partnerUrl || closedStates.includes(state ?? '')) return undefined;
  const url = new URL(partnerUrl);
  url.searchParams.set('transaction_id', transactionId);
  url.searchParams.set('affid', affid);
  url.searchParams.set('sub_id', sub_id);
  return url.href;
}
