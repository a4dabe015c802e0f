import type { OutgoingHttp } from '../providers/outgoing-http.ts';

const TIMEOUT_MS = 10_000;

/** Returns what sends a signed head of the log of evidence to a webhook; undefined if there is none. */
export function tellHead(http: OutgoingHttp, url: string | undefined) {
  if (url === undefined) return undefined;
  return async ({ jws }: { readonly jws: string }, signal: AbortSignal): Promise<void> => {
    const { status } = await http.request({
      ...{ method: 'POST', url, timeoutMs: TIMEOUT_MS, signal },
      headers: { 'content-type': 'application/jose' },
      body: jws,
    });
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}`);
  };
}
