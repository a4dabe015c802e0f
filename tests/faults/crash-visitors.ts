/** Visitors who post a lead and go on until it is acknowledged, whatever happens to the server. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { leadSecretHeader } from '../../src/contract/lead.ts';
import { publishedTcpa } from '../support/consent.ts';

const REQUEST_TIMEOUT_MS = 10_000;

export type Visitors = {
  /** Ids of the leads that got a 200. */
  readonly acknowledged: ReadonlySet<string>;
  /** Posts one new lead as the browser does: the same body, again and again, until there is a 200. */
  post(): Promise<void>;
  /** Ends the posts that are still going on. */
  stop(): void;
};

/**
 * @param url of the server at the moment; undefined while there is none
 * @param pauseMs between two tries of a visitor; a browser makes less than 30 in a minute
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
    return false; // The server died; whether it has the lead, nobody knows.
  }
  if (response.status === 503) return false;
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${text}`);
  return (JSON.parse(text) as { lead_id?: string }).lead_id === leadId;
}

/** A lead that qualifies, of a visitor with phone and e-mail of their own. */
export function leadBody(leadId: string, number: number): Record<string, string> {
  const now = new Date();
  return {
    // The exchange knows a lead by its token.
    leadid_token: leadId,
    lead_id: leadId,
    survey: '/survey/v4nv',
    language: 'en',
    ...publishedTcpa(),
    consent_shown_at: now.toISOString(),
    submitted_at: now.toISOString(),
    landing_page: 'http://localhost/survey/v4nv',
    page_referer: '',
    accident_type: 'Car Accident',
    injury_month: '01',
    injury_year: String(now.getUTCFullYear()),
    at_Fault: 'no',
    physical_injury: 'Yes',
    specific_injury: 'Whiplash',
    doctor_treatment: 'Yes',
    police_report: 'yes',
    with_Lawyer: 'no',
    hit_and_run: 'no',
    case_description: 'A truck hit my car from behind at a red light and my neck hurts',
    first_name: 'Ana',
    last_name: 'Diaz',
    email: `ana${number}@example.com`,
    phone: String(5_125_550_000 + number),
    zip_code: '78701',
  };
}
