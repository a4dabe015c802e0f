/** Tests an account at the lead-ingest service (Lead Prosper) for `npm run doctor`. */
import type { OutgoingHttp } from '../providers/outgoing-http.ts';
import { classifyIngestAnswer } from './ingest-answer.ts';
import { type ProbeResult, probeCall } from './probe.ts';

/**
 * Tests an account with an empty test lead, which no buyer can take. A refusal of the account means `wrong`. A
 * refusal of the lead, for example for a missing field, shows that the account works.
 */
export function probeIngestAccount(
  http: Pick<OutgoingHttp, 'request'>,
  account: {
    readonly baseUrl: string;
    readonly campaignId: string;
    readonly supplierId: string;
    readonly key: string;
    /** The service's error codes that concern the account, not the lead. */
    readonly codes: readonly string[];
  },
  timeoutMs: number,
): Promise<ProbeResult> {
  const { baseUrl, campaignId, supplierId, key, codes } = account;
  return probeCall(
    http,
    {
      method: 'POST',
      url: `${baseUrl.replace(/\/+$/, '')}/ingest`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        lp_campaign_id: campaignId,
        lp_supplier_id: supplierId,
        lp_key: key,
        lp_action: 'test',
      }),
      timeoutMs,
    },
    (answer) => {
      const reading = { codes, settings: [] };
      const { outcome, account: refused } = classifyIngestAnswer(
        answer,
        new Date(),
        [key],
        reading,
      );
      // For a lead, 403 may come from a firewall that dislikes its text; this request contains no such text.
      if (answer.status === 403) {
        return { state: 'wrong', text: 'it refuses our account (HTTP 403)' };
      }
      if (refused !== undefined) return { state: 'wrong', text: refused.problem };
      return outcome === 'delivered' || outcome === 'duplicate' || outcome === 'rejected'
        ? { state: 'works', text: 'campaign, supplier and key are known (an empty test lead)' }
        : {
            state: 'wrong',
            text: `HTTP ${answer.status}, but not the answer of a lead-ingest service`,
          };
    },
  );
}
