/** How the third parties of the demo's history answered: their speed, their refusals and their outages. */
import { randomUUID } from 'node:crypto';
import { type OutgoingAnswer, OutgoingError } from '../../src/server/providers/outgoing-http.ts';
import type { Random } from './random.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** One attempt as the third party sees it. */
export type Call = {
  readonly destination: string;
  readonly at: Date;
  readonly affiliate: string;
};

/** A time in which a destination answered wrongly. Times are hours before now. */
type Incident = {
  readonly destination: string;
  readonly from: number;
  readonly to: number;
  readonly status: number;
  readonly text: string;
  /** The share of calls that it hits. */
  readonly share: number;
};

/** An outage that retries survived, one with answers that nobody can read, and one whose leads still wait for help. */
const incidents: readonly Incident[] = [
  {
    destination: 'ingest',
    from: 9 * 24 + 5,
    to: 9 * 24 + 2.2,
    status: 503,
    text: 'Service Unavailable',
    share: 1,
  },
  {
    destination: 'exchange',
    from: 17 * 24 + 8,
    to: 17 * 24 + 3,
    status: 502,
    text: 'Bad Gateway',
    share: 0.9,
  },
  {
    destination: 'webhook',
    from: 4 * 24 + 3,
    to: 4 * 24 + 2,
    status: 404,
    text: 'Not Found',
    share: 1,
  },
  {
    destination: 'ingest',
    from: 30,
    to: 23.5,
    status: 400,
    text: '{"error":"Malformed request: unknown field sub_id5"}',
    share: 0.6,
  },
];
/** The incident whose dead leads an operator has not resent. */
export const OPEN_INCIDENT_HOURS = 30;

/** Median of the answer's time in milliseconds, and its spread. */
const speeds: Readonly<Record<string, readonly [median: number, spread: number]>> = {
  ingest: [840, 1.9],
  exchange: [310, 1.7],
  trustedform: [240, 1.5],
  automation: [180, 1.6],
  webhook: [85, 1.8],
};

const refusals: Readonly<Record<string, readonly (readonly [weight: number, text: string])[]>> = {
  ingest: [
    [46, 'ERROR|1015|Phone number failed validation'],
    [30, 'DUPLICATED|1008|Duplicate lead within 90 days'],
    [16, 'ERROR|1021|No buyer takes leads of this state'],
    [8, 'ERROR|1024|Accident date is too old for every buyer'],
  ],
};

/** Affiliates by the share of their leads that the ingest service refuses. */
const refusedShare: Readonly<Record<string, number>> = { 212: 0.21, 340: 0.14, 252: 0.12 };
const USUAL_REFUSED = 0.07;
const TIMES_OUT = 0.006;

/** Answers a call as the third party would have at that time. @throws OutgoingError for a time-out */
export function answerTo(random: Random, now: Date, call: Call): OutgoingAnswer {
  const { destination, at } = call;
  const [median, spread] = speeds[destination] ?? [200, 1.6];
  const durationMs = Math.round(random.logNormal(median, spread));
  const reply = (status: number, text: string): OutgoingAnswer => ({
    ...{ status, text, durationMs, headers: {}, truncated: false },
  });
  const ago = (now.getTime() - at.getTime()) / HOUR_MS;
  const incident = incidents.find(
    (one) => one.destination === destination && ago <= one.from && ago > one.to,
  );
  if (incident && random.chance(incident.share)) return reply(incident.status, incident.text);
  if (destination !== 'webhook' && random.chance(TIMES_OUT)) {
    const parts = { failure: 'timeout', mayHaveArrived: true, durationMs: 30_000 } as const;
    throw new OutgoingError('The service did not answer within 30 s', parts);
  }
  return reply(200, bodyOf(random, call));
}

function bodyOf(random: Random, { destination, affiliate, at }: Call): string {
  if (destination === 'trustedform') {
    const expires_at = new Date(at.getTime() + 5 * 365 * DAY_MS).toISOString();
    const retain = { results: { expires_at, previously_retained: false } };
    return JSON.stringify({
      outcome: 'success',
      match_lead: { result: { success: true } },
      retain,
    });
  }
  if (destination !== 'ingest') return '{"ok":true}';
  const id = randomUUID().replaceAll('-', '').slice(0, 20);
  if (!random.chance(refusedShare[affiliate] ?? USUAL_REFUSED))
    return JSON.stringify({ id, status: 'ACCEPTED', code: 0, message: 'Lead accepted' });
  const weights = Object.fromEntries(
    (refusals.ingest ?? []).map(([weight, text]) => [text, weight]),
  );
  const [status, code, message] = random.weighted(weights).split('|');
  return JSON.stringify({ id, status, code: Number(code), message });
}
