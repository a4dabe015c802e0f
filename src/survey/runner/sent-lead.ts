/**
 * What this tab remembers of the lead that it sent, for the thank-you page and for who comes back from
 * there: the lead's id, and the partner page's address in case the browser blocked its tab. Nothing
 * personal.
 */
const KEY = 'survey-sent';

/** Remembers a lead that is being sent, over an earlier one; never throws. */
export function keepSentLead(leadId: string, partner = ''): void {
  try {
    sessionStorage.setItem(KEY, `${leadId} ${partner}`);
  } catch {
    // Without storage the partner's tab was the only way there.
  }
}

/** The id of the lead that was sent and the partner's address or '', or nothing; never throws. */
export function sentLead(): readonly [leadId?: string, partner?: string] {
  try {
    return (sessionStorage.getItem(KEY)?.split(' ') ?? []) as [string?, string?];
  } catch {
    return [];
  }
}
