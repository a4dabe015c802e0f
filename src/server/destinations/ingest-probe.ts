/** Tries an account at the lead-ingest service (Lead Prosper), for `npm run doctor`. */
import type { OutgoingHttp } from '../providers/outgoing-http.ts';
import { classifyIngestAnswer } from './ingest-answer.ts';
import { type ProbeResult, probeCall } from './probe.ts';

/**
 * Tries an account with a test lead that has nobody in it: no buyer can take it. The answer is read as the
 * answer to a lead is. One about the account is wrong; one about the lead (a missing field, say) shows that
 * the service knows us.
 */
export function probeIngestAccount(
  http: Pick<OutgoingHttp, 'request'>,
  account: {
    readonly baseUrl: string;
    readonly campaignId: string;
    readonly supplierId: string;
    readonly key: string;
    /** Codes of the service that mean the account and not the lead. */
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
      // A firewall may say 403 of a lead; here the request is our own.
      if (answer.status === 403) {
        return { state: 'wrong', text: 'it refuses our account (HTTP 403)' };
      }
      if (refused !== undefined) return { state: 'wrong', text: refused.problem };
      return outcome === 'delivered' || outcome === 'duplicate' || outcome === 'rejected'
        ? { state: 'works', text: 'campaign, supplier and key are known (an empty test lead)' }
        : {
            state: 'wrong',
            text: `HTTP ${answer.status}, and no answer of a lead-ingest service`,
          };
    },
  );
}
