/** Trying a third party's account with a call that changes nothing there, for `npm run doctor`. */
import { OutgoingError, type OutgoingHttp } from '../providers/outgoing-http.ts';

/** What came of a try. */
export type ProbeResult = {
  readonly state: 'works' | 'wrong' | 'not_tried';
  /** What was tried and answered, or how a person can try it; without secrets. */
  readonly text: string;
};

/** Makes one call and reads its status and text; a call without an answer is wrong. */
export async function probeCall(
  http: Pick<OutgoingHttp, 'request'>,
  request: Parameters<OutgoingHttp['request']>[0],
  read: (status: number, text: string) => ProbeResult,
): Promise<ProbeResult> {
  try {
    const { status, text } = await http.request(request);
    return read(status, text);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { state: 'wrong', text: error.message };
  }
}

/**
 * Tries an account at Lead Prosper with a test lead that has nobody in it: no buyer can take it. An answer
 * about credentials is wrong; any other answer of the service (a missing field, say) shows that it knows us.
 */
export function probeIngestAccount(
  http: Pick<OutgoingHttp, 'request'>,
  account: { baseUrl: string; campaignId: string; supplierId: string; key: string },
  timeoutMs: number,
): Promise<ProbeResult> {
  const { baseUrl, campaignId, supplierId, key } = account;
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
    (status, text) => {
      if (status === 401 || status === 403 || /credential|\b1002\b|unauthorized/i.test(text)) {
        return { state: 'wrong', text: 'the service does not know campaign, supplier and key' };
      }
      const isService = /"status"\s*:/.test(text) && status < 500;
      return isService
        ? { state: 'works', text: 'campaign, supplier and key are known (an empty test lead)' }
        : { state: 'wrong', text: `HTTP ${status}, and no answer of a lead-ingest service` };
    },
  );
}
