/** Visitors who post a lead and retry until it is acknowledged, even while the server is down. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { leadSecretHeader } from '../../src/contract/lead.ts';
import { freshLead } from '../support/server.ts';

const REQUEST_TIMEOUT_MS = 10_000;

export type Visitors = {
  /** Ids of the leads that got a 200. */
  readonly acknowledged: ReadonlySet<string>;
  /** Posts one new lead as the browser does: the same body until there is a 200. */
  post(): Promise<void>;
  /** Ends the posts that are still retrying. */
  stop(): void;
};

/**
 * @param url returns the server's current address, or undefined while there is none
 * @param pauseMs between two retries of a visitor; a browser makes less than 30 a minute
 */
export function createVisitors(url: () => string | undefined, pauseMs = 50): Visitors {
  const acknowledged = new Set<string>();
  let serial = 0;
  let isOver = false;
  return {
    acknowledged,
    async post() {
      serial += 1;
      const leadId = uuidv7();
      const secret = randomUUID();
      const body = JSON.stringify(leadBody(leadId, serial));
      while (!isOver) {
        const server = url();
        if (server !== undefined && (await isAcknowledged(server, { leadId, secret, body }))) {
          acknowledged.add(leadId);
          return;
        }
        await sleep(pauseMs);
      }
    },
    stop() {
      isOver = true;
    },
  };
}

async function isAcknowledged(
  server: string,
  { leadId, secret, body }: { leadId: string; secret: string; body: string },
): Promise<boolean> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${server}/post-lead`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [leadSecretHeader]: secret },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    text = await response.text();
  } catch {
    return false; // The server died: it may have stored the lead or not.
  }
  // 502 and 504 are a proxy's: the server behind it died.
  if ([502, 503, 504].includes(response.status)) return false;
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${text}`);
  return (JSON.parse(text) as { lead_id?: string }).lead_id === leadId;
}

/**
 * Returns a qualified lead with its own phone and e-mail. The exchange identifies it by its token.
 */
export function leadBody(leadId: string, number: number): Record<string, unknown> {
  return freshLead({
    ...{ lead_id: leadId, leadid_token: leadId },
    ...{ email: `ana${number}@example.com`, phone: String(5_122_000_000 + number) },
  });
}
