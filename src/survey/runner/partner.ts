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
 * A state that is not known may be one of them: then the lead goes to the buyer of disqualified leads,
 * and its visitor must not be sold a second time.
 */
export function partnerHref(visit: PartnerVisit): string | undefined {
  const { partnerUrl, specialStates, state, transactionId, affid, sub_id } = visit;
  const isSpecial = state ? specialStates.includes(state) : specialStates.length > 0;
  if (!partnerUrl || isSpecial) return undefined;
  const url = new URL(partnerUrl);
  url.searchParams.set('transaction_id', transactionId);
  url.searchParams.set('affid', affid);
  url.searchParams.set('sub_id', sub_id);
  return url.href;
}
