/**
 * Sends the deliveries of the demo's history on paper: real destinations build the bytes and read the answers,
 * the real rule decides what follows, and only the third party is invented. Bulk statements write the results.
 */
import { hash } from 'node:crypto';
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { decide } from '../../src/server/delivery/decide.ts';
import type {
  ConnectedDestination,
  SendResult,
} from '../../src/server/destinations/destination.ts';
import {
  type DestinationEvent,
  deliveryEnd,
  eventKey,
  timed,
} from '../../src/server/destinations/event.ts';
import type { OutgoingAnswer, OutgoingHttp } from '../../src/server/providers/outgoing-http.ts';
import { answerTo } from './destinations.ts';
import type { Random } from './random.ts';

const PORTION = 2_000;
/** A worker takes a lead this long after its commit. */
const FIRST_WAIT_MS = 350;

type Open = {
  id: string;
  lead_id: string;
  destination: string;
  event: DestinationEvent | null;
  created_at: Date;
  /** From when on it is sent: its arrival, or an operator's release or resend. */
  starts_at: Date;
  attempts: number;
  is_test: boolean;
  revision: number;
  fields: Record<string, string>;
};
type Attempt = Record<string, string | number | null>;
type Ended = Record<string, string | number | boolean | null>;
type NewEvent = Record<string, string | number | null | DestinationEvent>;

/** An HTTP client that gives the next answer of the invented third parties. */
export function inventedHttp(): Pick<OutgoingHttp, 'request' | 'close'> & {
  next(): OutgoingAnswer;
} {
  return {
    next: () => {
      throw new Error('No call is expected');
    },
    async request() {
      return this.next();
    },
    close: async () => undefined,
  };
}

/** What the simulation needs. A destination in `paused` takes nothing from the given time on. */
export type Sending = {
  readonly pool: pg.Pool;
  readonly random: Random;
  readonly now: Date;
  readonly destinations: readonly ConnectedDestination[];
  readonly http: ReturnType<typeof inventedHttp>;
  readonly paused: Readonly<Record<string, Date>>;
};

const OPEN = `
select d.id, d.lead_id, d.destination, d.event, d.created_at, d.due_at as starts_at, d.attempts, l.is_test,
  l.revision, r.fields
from deliveries d join leads l on l.id = d.lead_id
join lead_revisions r on r.lead_id = d.lead_id and r.revision = l.revision
where d.state in ('waiting', 'retrying') and d.due_at <= $1 order by d.due_at, d.id`;

/** Sends everything that was due until now, then the events that this raised. */
export async function sendDue(sending: Sending): Promise<void> {
  for (;;) {
    const { rows } = await sending.pool.query<Open>(OPEN, [sending.now]);
    const due = rows.filter((row) => !isPaused(sending, row.destination, row.starts_at));
    if (due.length === 0) return;
    for (let at = 0; at < due.length; at += PORTION) {
      const written = { attempts: [] as Attempt[], ends: [] as Ended[], events: [] as NewEvent[] };
      for (const row of due.slice(at, at + PORTION)) await send(sending, row, written);
      await write(sending.pool, written);
    }
  }
}

function isPaused({ paused }: Sending, destination: string, at: Date): boolean {
  const since = paused[destination];
  return since !== undefined && at >= since;
}

type Written = { attempts: Attempt[]; ends: Ended[]; events: NewEvent[] };

/** Makes a delivery's attempts until it ended, or until now. */
async function send(sending: Sending, row: Open, written: Written): Promise<void> {
  const { destinations, http, random, now } = sending;
  const destination = destinations.find(({ name }) => name === row.destination);
  if (!destination) throw new Error(`${row.destination} is not a destination`);
  const { account, payloadVersion, recognisesDuplicates } = destination;
  const prepared = destination.prepare({
    deliveryId: row.id,
    leadId: row.lead_id,
    ...{ isTest: row.is_test, fields: row.fields, payloadVersion, account },
    mappedAccount: undefined,
    event: timed(row.event, row.created_at),
  });
  const sha = 'send' in prepared ? hash('sha256', prepared.body, 'hex') : null;
  const affiliate = row.fields.affid ?? '';
  let { attempts } = row;
  let startsAt = new Date(row.starts_at.getTime() + (row.attempts === 0 ? FIRST_WAIT_MS : 0));
  let mayHaveArrived = false;
  for (let inRound = 1; ; inRound += 1) {
    const call = { destination: row.destination, at: startsAt, affiliate };
    http.next = () => answerTo(random, now, call);
    const result: SendResult = 'send' in prepared ? await prepared.send() : prepared;
    const state = decide({
      ...{ result, attempt: inRound, mayHaveArrived, recognisesDuplicates },
      random: random.next(),
    });
    attempts += 1;
    const endsAt = new Date(startsAt.getTime() + result.durationMs);
    mayHaveArrived ||= ['unknown', 'server_error', 'delivered'].includes(result.outcome);
    written.attempts.push({
      ...{ delivery_id: row.id, attempt: attempts, outcome: result.outcome },
      ...{ started_at: startsAt.toISOString(), ended_at: endsAt.toISOString() },
      ...{ http_status: result.httpStatus ?? null, response: result.response ?? null },
      ...{ error: result.error ?? null, duration_ms: result.durationMs, sent_sha256: sha },
      ...{ revision: row.revision, account, payload_version: payloadVersion },
    });
    const dueAt = new Date(endsAt.getTime() + (state.pauseMs ?? 0));
    const isOpen = state.state === 'retrying' || state.state === 'waiting';
    if (isOpen && dueAt <= now && !isPaused(sending, row.destination, dueAt)) {
      startsAt = dueAt;
      continue;
    }
    written.ends.push({
      ...{ id: row.id, state: state.state, attempts, message: state.message },
      due_at: isOpen ? dueAt.toISOString() : null,
      finished_at: isOpen ? null : endsAt.toISOString(),
      ...{ may_have_arrived: mayHaveArrived, external_id: result.externalId ?? null },
      ...{ revision: row.revision, account, payload_version: payloadVersion },
    });
    if (!isOpen) {
      const end = { state: state.state as EndState, attempt: attempts, at: endsAt };
      written.events.push(
        ...eventsOf(sending, row, { ...end, externalId: result.externalId ?? null }),
      );
    }
    return;
  }
}

type EndState = 'delivered' | 'rejected' | 'dead' | 'uncertain';
type End = { state: EndState; attempt: number; at: Date; externalId: string | null };

/** Returns the events that a finished delivery raises, as `delivery/ends.ts` does. */
function eventsOf({ destinations }: Sending, row: Open, end: End): NewEvent[] {
  const of = destinations.find(({ name }) => name === row.destination);
  if (row.event !== null || (end.state !== 'delivered' && of?.areErrorsIgnored)) return [];
  const event = deliveryEnd({
    ...{ delivery_id: row.id, destination: row.destination, state: end.state },
    ...{ attempt: end.attempt, revision: row.revision, external_id: end.externalId },
  });
  return destinations
    .filter(({ events }) => events?.includes(event.type))
    .map(({ name }) => ({
      ...{ id: uuid({ msecs: end.at.getTime() }), lead_id: row.lead_id, destination: name },
      ...{ key: eventKey(event), event, revision: row.revision, at: end.at.toISOString() },
    }));
}

const ATTEMPTS = `
insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, http_status, response, error,
  duration_ms, sent_sha256, revision, account, payload_version)
select * from jsonb_to_recordset($1::jsonb) as a(delivery_id uuid, attempt integer, started_at timestamptz,
  ended_at timestamptz, outcome text, http_status integer, response text, error text, duration_ms integer,
  sent_sha256 text, revision integer, account text, payload_version integer)`;
const ENDS = `
update deliveries d set state = e.state, attempts = e.attempts, last_message = e.message, due_at = e.due_at,
  finished_at = e.finished_at, may_have_arrived = d.may_have_arrived or e.may_have_arrived,
  external_id = coalesce(e.external_id, d.external_id), revision = e.revision, account = e.account,
  payload_version = e.payload_version
from jsonb_to_recordset($1::jsonb) as e(id uuid, state text, attempts integer, message text, due_at timestamptz,
  finished_at timestamptz, may_have_arrived boolean, external_id text, revision integer, account text,
  payload_version integer)
where d.id = e.id`;
const EVENTS = `
insert into deliveries (id, lead_id, destination, state, created_at, due_at, event_key, event, revision)
select id, lead_id, destination, 'waiting', at, at, key, event, revision
from jsonb_to_recordset($1::jsonb) as e(id uuid, lead_id uuid, destination text, key text, event jsonb,
  revision integer, at timestamptz)
on conflict (lead_id, destination, event_key) do nothing`;

async function write(pool: pg.Pool, { attempts, ends, events }: Written): Promise<void> {
  await pool.query(ATTEMPTS, [JSON.stringify(attempts)]);
  await pool.query(ENDS, [JSON.stringify(ends)]);
  await pool.query(EVENTS, [JSON.stringify(events)]);
}
