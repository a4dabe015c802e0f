import type { PrefillCheck } from '../leads/ports.ts';
import type { OutgoingHttp } from './outgoing-http.ts';

/** The prefill service, and the share of visitors that it is asked for. */
export type PrefillService = {
  readonly http: Pick<OutgoingHttp, 'request'>;
  /** Before `/check-affid-pre`. */
  readonly baseUrl: string;
  /** 0 to 100. */
  readonly percentage: number;
  readonly timeoutMs: number;
};

/** The embedded default: prefilling is off. */
export const noPrefill: PrefillCheck = async () => false;

/**
 * `GET {base}/check-affid-pre/{affid}/{percentage}` (document 2, section 7): `{"result": "yes"}` turns
 * prefilling on. Every failure, and any other answer, leaves it off.
 */
export function createPrefillCheck(service: PrefillService): PrefillCheck {
  const { http, baseUrl, percentage, timeoutMs } = service;
  const base = baseUrl.replace(/\/+$/, '');
  return async (affid) => {
    try {
      const { status, text } = await http.request({
        method: 'GET',
        url: `${base}/check-affid-pre/${encodeURIComponent(affid)}/${percentage}`,
        headers: { accept: 'application/json' },
        timeoutMs,
      });
      if (status < 200 || status > 299) return false;
      const answer = JSON.parse(text) as { result?: unknown } | null;
      return String(answer?.result).trim().toLowerCase() === 'yes';
    } catch {
      return false;
    }
  };
}
