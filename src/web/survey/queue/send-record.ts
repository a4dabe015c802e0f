import { type PostLeadAnswer, postLeadPath } from '../../../model/messages/lead.ts';
import { type SaveDataAnswer, saveDataPath } from '../../../model/messages/progress.ts';
import type { OutboxRecord } from './outbox.ts';
import { endAfter, jsonHeaders } from './requests.ts';

/** Longest time of one request, so that a hanging server does not stop the queue. */
const REQUEST_TIMEOUT_MS = 20_000;
/** A longer Retry-After is cut to a day, as in our server's deliveries. */
export const RETRY_AFTER_LIMIT_MS = 24 * 60 * 60 * 1000;
/** Browsers limit the `keepalive` bodies of a page to 64 KiB; larger requests are sent without it. */
const KEEPALIVE_BYTES = 30_000;
/** Statuses that no retry can change. */
const finalStatuses = [400, 413, 415];

/** The outcome of one request: confirmed, finally refused with a status, or to be sent again. */
type Outcome = {
  readonly isDone?: boolean;
  readonly stopped?: number;
  readonly afterMs?: number | undefined;
};

/** Sends a record. The request begins before this returns, so that the page may end right after. */
export async function sendRecord(record: OutboxRecord, doFetch: typeof fetch): Promise<Outcome> {
  const [path, body] =
    record.kind === 'post'
      ? [postLeadPath, JSON.stringify(record.body)]
      : [saveDataPath, JSON.stringify({ session: record.session, data: record.data })];
  try {
    const response = await doFetch(path, {
      method: 'POST',
      headers: jsonHeaders(record.secret),
      body,
      keepalive: body.length < KEEPALIVE_BYTES,
      signal: endAfter(REQUEST_TIMEOUT_MS),
    });
    if (response.ok) {
      const answer = (await response.json()) as Partial<PostLeadAnswer & SaveDataAnswer>;
      const isDone =
        record.kind === 'post'
          ? answer.lead_id === record.lead_id
          : answer.userBackupStatus === true && answer.userProgressionStatus === true;
      return { isDone };
    }
    const { status, headers } = response;
    if (finalStatuses.includes(status)) return { stopped: status };
    return { afterMs: retryAfterMs(headers.get('retry-after')) };
  } catch {
    return {};
  }
}

/** Returns a Retry-After header in seconds, as our server sends it, as milliseconds. */
function retryAfterMs(header: string | null): number | undefined {
  const ms = Number(header) * 1000;
  return ms > 0 ? Math.min(ms, RETRY_AFTER_LIMIT_MS) : undefined;
}
