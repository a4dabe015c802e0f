/** What decides whether and where a disqualified visitor's partner page opens. */
export type PartnerVisit = {
  /** The partner's click-tracking page; empty: none. */
  readonly partnerUrl: string;
  readonly specialStates: readonly string[];
  readonly state: string | undefined;
  readonly transactionId: string;
  readonly affid: string;
  readonly sub_id: string;
};

/**
 * The partner page's address for a disqualified visitor, carrying transaction id, affid and sub_id
 * (document 2, section 4, "Submit sequence"); undefined without a partner and in the special states.
 */
export function partnerHref(visit: PartnerVisit): string | undefined {
  const { partnerUrl, specialStates, state, transactionId, affid, sub_id } = visit;
  if (!partnerUrl || (state && specialStates.includes(state))) return undefined;
  const url = new URL(partnerUrl);
  url.searchParams.set('transaction_id', transactionId);
  url.searchParams.set('affid', affid);
  url.searchParams.set('sub_id', sub_id);
  return url.href;
}
