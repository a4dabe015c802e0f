/** Decides and stores the next state of a delivery when an attempt ends. */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { storableText } from '../../model/lead/body.ts';
import type { DeliveryState, EndReason } from '../../model/messages/vocabulary.ts';
import { givesBack, isToBuyer } from '../leads/index.ts';
import { createBatcher } from '../platform/database/batcher.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { isPassingError } from '../platform/database/database-error.ts';
import type { ConnectedDestination, SendResult } from './destinations/destination.ts';
import { eventKey, type LeadEvent } from './destinations/event.ts';
import { planLeadEvents } from './lead-events.ts';
import { type LeasedDelivery, LOST_MESSAGE } from './leases.ts';

export type Decision = {
  state: Extract<
    DeliveryState,
    'delivered' | 'rejected' | 'dead' | 'uncertain' | 'retrying' | 'waiting'
  >;
  /** Milliseconds until the next attempt, for `retrying` and `waiting`. */
  pauseMs?: number;
  endReason?: EndReason;
  /** The destination's answer for operators, stored in `deliveries.last_message`. */
  message: string;
  /** An alert for operators, without personal data. */
  alert?: string;
};

/** Decides the next state of a delivery after an attempt. */
export function decide(
  options: Pick<Retry, 'attempt' | 'random'> &
    Pick<LeasedDelivery, 'mayHaveArrived'> &
    Pick<ConnectedDestination, 'recognisesDuplicates'> & { readonly result: SendResult },
): Decision {
  const { result, attempt, mayHaveArrived, recognisesDuplicates, random } = options;
  const { outcome, httpStatus, account, retryAfterMs } = result;
  const message = result.message ?? result.error ?? outcome;
  switch (outcome) {
    case 'delivered':
    case 'rejected':
      return { state: outcome, message };
    case 'duplicate':
      return { state: mayHaveArrived ? 'delivered' : 'rejected', message };
    case 'failed': {
      const status = httpStatus === undefined ? '' : ` (HTTP ${httpStatus})`;
      const alert = `the destination's answer${status} is final, so it is not sent again`;
      return { state: 'dead', endReason: 'final', message, alert };
    }
    case 'account': {
      const problem = account?.problem ?? 'it refuses the account';
      // The destination will be paused, so the lead waits, and this attempt does not count.
      if (account && account.settings.length > 0) {
        return { state: 'waiting', pauseMs: 0, message: `Waits: ${problem}` };
      }
      const alert = `${problem}. The mapping service named this account for the lead`;
      const first = attempt === 1 ? { alert } : {};
      return { ...retryLater(message, { attempt, random }), ...first };
    }
    case 'server_error':
    case 'unknown':
      if (recognisesDuplicates) return retryLater(message, { attempt, retryAfterMs, random });
      return {
        state: 'uncertain',
        message,
        alert: 'it may have arrived, so it is not sent again',
      };
    case 'retry':
    case 'later':
      return retryLater(message, { attempt, retryAfterMs, random });
  }
}

type Retry = {
  /** The number of attempts since the last resend. */
  readonly attempt: number;
  /** The pause that the destination asked for in `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
  /** A random number in [0, 1), which varies the pause. */
  readonly random: number;
};

function retryLater(message: string, retry: Retry): Decision {
  if (retry.attempt < MAX_ATTEMPTS) {
    return { state: 'retrying', pauseMs: nextPause(retry), message };
  }
  const alert = `given up after ${MAX_ATTEMPTS} attempts`;
  return { state: 'dead', endReason: 'given_up', message, alert };
}

/** Maximum number of attempts before a delivery becomes a dead letter. Takes about 3 days. */
export const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_MS = 5_000;
const GROWTH = 2.2;
const LONGEST_PAUSE_MS = 8 * 60 * 60 * 1000;
/** Share by which each pause varies at random, so that failed leads are not retried together. */
const JITTER = 0.2;
/** Maximum pause that a Retry-After header can cause. */
const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** Returns the milliseconds until the next attempt. */
export function nextPause({ attempt, retryAfterMs = 0, random }: Retry): number {
  const regular = Math.min(FIRST_PAUSE_MS * GROWTH ** (attempt - 1), LONGEST_PAUSE_MS);
  const jittered = regular * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS) * (1 + (JITTER / 2) * random);
  return Math.round(Math.max(jittered, asked));
}

/** The end of an attempt and the new state of its delivery. */
export type AttemptEnd = Omit<SendResult, 'durationMs'> &
  Decision & {
    /** Undefined if the worker died while sending. */
    durationMs?: number;
    /** The name of the process that holds the lease. */
    owner: string | null;
    leased: Pick<
      LeasedDelivery,
      'deliveryId' | 'leadId' | 'attempt' | 'destination' | 'revision' | 'event'
    >;
  };

/** SQL: true if the lead waits, and no earlier attempt can have arrived at the destination. */
const isUnpinned = "given.state = 'waiting' and not d.may_have_arrived";

/**
 * SQL: true if a buyer refused the lead or our account, and no earlier attempt can have arrived, so that another one
 * may have the lead.
 */
const IS_GIVEN_BACK = `(given.state in ('rejected', 'waiting') and not d.may_have_arrived and ${isToBuyer('d')})`;

// SQL: stores the ends of attempts in $1 with their sales, and inserts the events in $2.
const FINISH = `
with given as (
  select * from jsonb_to_recordset($1::jsonb) as e(id uuid, attempt integer, owner text, state text, outcome text,
    end_reason text, answer_code text, pause_ms bigint, message text, external_id text, http_status integer, response text, error text,
    duration_ms integer, sale_id uuid, price numeric(12, 2))
), ended as (
  update deliveries d set state = given.state, lease_owner = null, last_message = given.message,
    end_reason = given.end_reason, answer_code = given.answer_code,
    due_at = case when ${IS_GIVEN_BACK} then now() else now() + given.pause_ms * interval '1 millisecond' end,
    finished_at = case when given.state not in ('retrying', 'waiting') then now() end,
    may_have_arrived = d.may_have_arrived or given.outcome in ('unknown', 'server_error', 'delivered')
      or given.outcome = 'later' and given.external_id is not null,
    first_due_at = case when given.outcome <> 'later' then d.first_due_at end,
    attempts_before_round = d.attempts_before_round + (given.state = 'waiting')::int,
    revision = case when ${isUnpinned} and d.event is null then null else d.revision end,
    account = case when ${isUnpinned} then null else d.account end,
    payload_version = case when ${isUnpinned} then null else d.payload_version end,
    external_id = case when given.outcome = 'duplicate' then coalesce(d.external_id, given.external_id)
      else nullif(coalesce(given.external_id, d.external_id), '') end,
    ${givesBack(IS_GIVEN_BACK)}
  from given
  where d.id = given.id and d.attempts = given.attempt and d.lease_owner is not distinct from given.owner
    and d.state = 'sending' and d.id = any(array(select id from given))
  returning d.id, d.lead_id, d.destination, d.event_key, d.external_id, d.revision, d.state, d.price, d.chosen_at
), taken as (
  select ended.id, ended.lead_id, ended.destination, given.sale_id, coalesce(given.price, ended.price) as price,
    case when given.price is null then 'terms' else 'answer' end as source
  from ended join given on given.id = ended.id join leads on leads.id = ended.lead_id
  where ended.state = 'delivered' and ended.event_key = '' and not leads.is_test
    and (coalesce(given.price, ended.price) > 0 or ended.chosen_at is not null)
), sold as (
  insert into money_entries (id, key, kind, amount, at, lead_id, delivery_id, destination, source, actor)
  select sale_id, 'sale ' || id, 'sale', price, now(), lead_id, id, destination, source, 'delivery'
  from taken where price > 0
  on conflict (key) do nothing
), events as (
  insert into deliveries (id, lead_id, destination, state, created_at, due_at, event_key, event, revision)
  select new.id, ended.lead_id, new.destination, 'waiting', now(), now(), new.key,
    new.event || jsonb_build_object('external_id', ended.external_id), ended.revision
  from jsonb_to_recordset($2::jsonb)
    as new(id uuid, delivery_id uuid, destination text, key text, event jsonb)
  join ended on ended.id = new.delivery_id
  on conflict (lead_id, destination, event_key) do nothing
), to_log as (
  insert into evidence_pending (ref, number, is_delivery)
  select ended.id, given.attempt, true from ended join given on given.id = ended.id
  where ended.event_key = ''
)
update delivery_attempts a set ended_at = now(), outcome = given.outcome,
  http_status = given.http_status, response = given.response, error = given.error,
  duration_ms = given.duration_ms
from given join ended on ended.id = given.id
where a.delivery_id = given.id and a.attempt = given.attempt
returning a.delivery_id as id, (
  select jsonb_build_object('leadId', lead_id, 'event', jsonb_build_object('type', 'lead.sold', 'delivery_id', id,
    'destination', destination, 'value', nullif(price, 0), 'currency', 'USD'))
  from taken where taken.id = a.delivery_id) as sale`;

/** `jsonb` rejects malformed text, which a destination's answer may contain. */
const clean = (text: string | undefined) => (text === undefined ? null : storableText(text));

/** Stores the ends of attempts. Returns for each end whether the worker still had the lease. */
async function finishAttempts(
  client: Queryable,
  ends: readonly AttemptEnd[],
  destinations: readonly ConnectedDestination[],
): Promise<boolean[]> {
  const rows = ends.map((end) => ({
    id: end.leased.deliveryId,
    attempt: end.leased.attempt,
    owner: end.owner,
    state: end.state,
    outcome: end.outcome,
    end_reason: end.endReason ?? null,
    answer_code: clean(end.code),
    pause_ms: end.pauseMs ?? null,
    message: clean(end.message),
    external_id: clean(end.externalId),
    http_status: end.httpStatus ?? null,
    response: clean(end.response),
    error: clean(end.error),
    duration_ms: end.durationMs ?? null,
    sale_id: uuid(),
    price: end.price ?? null,
  }));
  const events = ends.flatMap((end) => eventRows(end, destinations));
  const { rows: written } = await client.query<{ id: string; sale: Sale | null }>({
    name: 'delivery-finish',
    text: FINISH,
    values: [JSON.stringify(rows), JSON.stringify(events)],
  });
  const sales = written.flatMap(({ sale }) => sale ?? []);
  await planLeadEvents(client, sales, destinations);
  const ours = new Set(written.map((row) => row.id));
  return ends.map((end) => ours.has(end.leased.deliveryId));
}

/** A lead that a buyer took. The value is null if neither answer nor terms name a price. */
type Sale = { readonly leadId: string; readonly event: LeadEvent };

/** Returns one row for each listener, with the event that a delivery of a lead has ended. */
function eventRows({ leased, state }: AttemptEnd, destinations: readonly ConnectedDestination[]) {
  const { deliveryId: delivery_id, destination, attempt, revision } = leased;
  if (leased.event !== null || state === 'retrying' || state === 'waiting') return [];
  const isIgnored = destinations.some((one) => one.name === destination && one.areErrorsIgnored);
  if (state !== 'delivered' && isIgnored) return [];
  const type = state === 'delivered' ? 'delivery.delivered' : 'delivery.failed';
  const about = { delivery_id, destination, attempt, revision, state, external_id: null };
  const event = { type, ...about } as const;
  return destinations
    .filter(({ events }) => events?.includes(event.type))
    .map(({ name }) => ({
      id: uuid(),
      delivery_id,
      destination: name,
      key: eventKey(event),
      event,
    }));
}

/** Maximum time for which the worker tries to store a result. */
const STORE_FOR_MS = 120_000;
const STORE_EVERY_MS = 5_000;
const MAX_ENDS = 100;

const STORING = {
  idempotent: true,
  maxAttempts: Number.POSITIVE_INFINITY,
  maxPauseMs: STORE_EVERY_MS,
  retryForMs: STORE_FOR_MS,
};

/** Returns a batcher that stores the results of attempts. */
export function createEndWriter(pool: pg.Pool, destinations: readonly ConnectedDestination[]) {
  return createBatcher<AttemptEnd, boolean>({
    run: (batch) =>
      inTransaction(pool, (client) => finishAttempts(client, batch, destinations), STORING),
    key: (end) => end.leased.deliveryId,
    isCommon: isPassingError,
    maxItems: MAX_ENDS,
    maxConcurrent: 2,
  });
}

/** Ends the attempts of dead workers, if the destination does not recognise duplicates. */
export async function parkLostDeliveries(
  client: Queryable,
  destinations: readonly ConnectedDestination[],
): Promise<AttemptEnd[]> {
  const names = destinations.filter((one) => !one.recognisesDuplicates).map(({ name }) => name);
  const { rows } = await client.query<AttemptEnd['leased'] & { owner: string | null }>({
    name: 'delivery-lost',
    text: `
      select id as "deliveryId", lead_id as "leadId", destination, attempts as attempt, revision, event,
        lease_owner as owner
      from deliveries
      where state = 'sending' and not is_unrouted and due_at <= now() and destination = any($1::text[])
      for update skip locked`,
    values: [names],
  });
  const ends = rows.map(({ owner, ...leased }): AttemptEnd => {
    const alert = 'the worker stopped during the send, so it may have arrived';
    const lost = { outcome: 'unknown', error: LOST_MESSAGE } as const;
    return { ...lost, state: 'uncertain', message: '', alert, owner, leased };
  });
  if (ends.length > 0) await finishAttempts(client, ends, destinations);
  return ends;
}
