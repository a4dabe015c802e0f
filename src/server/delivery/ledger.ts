/**
 * The statements on `deliveries` and `delivery_attempts`, the truth about what was sent.
 *
 * Time is the database's, so that processes on several machines agree about leases; a test with its
 * own clock gives `now`. Statements are named, so that a connection prepares each of them once.
 */
import type pg from 'pg';
import type { IngestAccount } from '../leads/ports.ts';
import type { DeliveryState } from '../storage/schema.ts';

/** The `outcome` of the row that an operator's resend leaves among the attempts. */
export const RESEND_NOTE = 'resend';

/** An attempt that is ours to make. */
export type Claim = {
  deliveryId: string;
  leadId: string;
  destination: string;
  /** 1, 2, 3, …; with the owner it fences everything that is written about the attempt. */
  attempt: number;
  /** The same, counted from the last resend. */
  attemptInRound: number;
  owner: string;
  payloadVersion: number;
  fields: Record<string, unknown>;
  isTest: boolean;
  /** The account that was found for this lead, where there is one. */
  account: IngestAccount | undefined;
  /** An earlier attempt was taken or perhaps was. */
  mayHaveArrived: boolean;
};

export type AttemptEnd = {
  state: DeliveryState;
  outcome: string;
  pauseMs: number | undefined;
  message: string;
  externalId: string | undefined;
  httpStatus: number | undefined;
  response: string | undefined;
  error: string | undefined;
  durationMs: number;
};

type Queryable = Pick<pg.ClientBase, 'query'>;

// $1 delivery, $2 owner, $3 lease in ms, $4 destinations, $5 those that recognise duplicates, $6 now.
// A job may come up to a second early: its start and next_attempt_at are rounded differently.
const CLAIM = `
with claimed as (
  update deliveries
  set state = 'sending', attempts = attempts + 1, lease_owner = $2, next_attempt_at = null,
    lease_until = coalesce($6::timestamptz, now()) + $3::int * interval '1 millisecond'
  where id = $1 and destination = any($4::text[]) and (
    (state in ('waiting', 'retrying') and (next_attempt_at is null
      or next_attempt_at <= coalesce($6::timestamptz, now()) + interval '1 second'))
    or (state = 'sending' and lease_until < coalesce($6::timestamptz, now())
      and destination = any($5::text[])))
  returning id, lead_id, destination, attempts, payload_version
), begun as (
  insert into delivery_attempts (delivery_id, attempt, started_at)
  select id, attempts, coalesce($6::timestamptz, now()) from claimed
)
select c.lead_id, c.destination, c.attempts, c.payload_version, l.fields, l.is_test,
  m.campaign_id, m.supplier_id, m.key,
  coalesce((select max(a.attempt) from delivery_attempts a
    where a.delivery_id = $1 and a.outcome = '${RESEND_NOTE}'), 0) as round_begin,
  exists (select 1 from delivery_attempts a where a.delivery_id = $1
    and (a.outcome is null or a.outcome in ('unknown', 'delivered'))) as may_have_arrived,
  exists (select 1 from delivery_attempts a where a.delivery_id = $1
    and a.outcome is null) as has_open_attempt
from claimed c join leads l on l.id = c.lead_id left join lead_accounts m on m.lead_id = c.lead_id`;

type ClaimRow = {
  lead_id: string;
  destination: string;
  attempts: number;
  payload_version: number;
  fields: Record<string, unknown>;
  is_test: boolean;
  campaign_id: string | null;
  supplier_id: string | null;
  key: string | null;
  round_begin: number;
  may_have_arrived: boolean;
  has_open_attempt: boolean;
};

/**
 * Takes a delivery that is due (waiting, to be retried, or left by a worker whose lease ran out) and
 * writes the attempt's row, in one statement: of any number of processes exactly one gets it.
 *
 * @returns undefined when it is not due, not ours, finished, or being sent by another worker.
 */
export async function claimDelivery(
  pool: pg.Pool,
  options: {
    deliveryId: string;
    owner: string;
    leaseMs: number;
    destinations: readonly string[];
    recognising: readonly string[];
    now: Date | undefined;
  },
): Promise<Claim | undefined> {
  const { deliveryId, owner, leaseMs, destinations, recognising, now } = options;
  const { rows } = await pool.query<ClaimRow>({
    name: 'delivery-claim',
    text: CLAIM,
    values: [deliveryId, owner, leaseMs, destinations, recognising, now ?? null],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  if (row.has_open_attempt) await closeLostAttempts(pool, deliveryId, row.attempts, now);
  return {
    deliveryId,
    leadId: row.lead_id,
    destination: row.destination,
    attempt: row.attempts,
    attemptInRound: row.attempts - row.round_begin,
    owner,
    payloadVersion: row.payload_version,
    fields: row.fields,
    isTest: row.is_test,
    account: accountOf(row),
    mayHaveArrived: row.may_have_arrived,
  };
}

function accountOf({ campaign_id, supplier_id, key }: ClaimRow): IngestAccount | undefined {
  return campaign_id !== null && supplier_id !== null && key !== null
    ? { campaignId: campaign_id, supplierId: supplier_id, key }
    : undefined;
}

/** Ends the attempts before `attempt` that nobody ended: their workers died or were frozen. */
async function closeLostAttempts(
  client: Queryable,
  deliveryId: string,
  attempt: number,
  now: Date | undefined,
): Promise<void> {
  await client.query(
    `update delivery_attempts
     set ended_at = coalesce($3::timestamptz, now()), outcome = 'unknown',
       error = 'The worker stopped before it could write how the attempt ended'
     where delivery_id = $1 and attempt < $2 and outcome is null`,
    [deliveryId, attempt, now ?? null],
  );
}

// $1 delivery, $2 attempt, $3 owner, $4 state, $5 pause in ms, $6 finished, $7 external id, $8 message,
// $9 outcome, $10 status, $11 response, $12 error, $13 duration in ms, $14 now.
const FINISH = `
with ended as (
  update deliveries
  set state = $4, lease_owner = null, lease_until = null,
    next_attempt_at = coalesce($14::timestamptz, now()) + $5::bigint * interval '1 millisecond',
    finished_at = case when $6::boolean then coalesce($14::timestamptz, now()) end,
    external_id = case when $9 = 'duplicate' then coalesce(external_id, $7)
      else coalesce($7, external_id) end,
    last_message = $8
  where id = $1 and attempts = $2 and lease_owner = $3 and state = 'sending'
  returning id
)
update delivery_attempts a
set ended_at = coalesce($14::timestamptz, now()), outcome = $9, http_status = $10, response = $11,
  error = $12, duration_ms = $13
from ended where a.delivery_id = ended.id and a.attempt = $2`;

/**
 * Writes how an attempt ended and what becomes of its delivery.
 *
 * @returns false when the attempt is no longer ours: the lease ran out and another worker took the
 * delivery over. Nothing was changed then.
 */
export async function finishAttempt(
  client: Queryable,
  claim: Pick<Claim, 'deliveryId' | 'attempt' | 'owner'>,
  end: AttemptEnd,
  now: Date | undefined,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'delivery-finish',
    text: FINISH,
    values: [
      claim.deliveryId,
      claim.attempt,
      claim.owner,
      end.state,
      end.pauseMs ?? null,
      end.state !== 'retrying',
      end.externalId ?? null,
      end.message,
      end.outcome,
      end.httpStatus ?? null,
      end.response ?? null,
      end.error ?? null,
      end.durationMs,
      now ?? null,
    ],
  });
  return rowCount === 1;
}

/** Renews every lease of one owner. */
export async function renewLeases(
  pool: pg.Pool,
  owner: string,
  leaseMs: number,
  now: Date | undefined,
): Promise<void> {
  await pool.query({
    name: 'delivery-renew',
    text: `update deliveries
      set lease_until = coalesce($3::timestamptz, now()) + $2::int * interval '1 millisecond'
      where state = 'sending' and lease_owner = $1`,
    values: [owner, leaseMs, now ?? null],
  });
}

/**
 * Parks the deliveries that a worker left in the middle of a send, to destinations that would not
 * recognise the lead if it came again: a person decides.
 *
 * @returns the deliveries that were parked.
 */
export async function parkLostDeliveries(
  pool: pg.Pool,
  notRecognising: readonly string[],
  now: Date | undefined,
): Promise<{ deliveryId: string; leadId: string; destination: string }[]> {
  if (notRecognising.length === 0) return [];
  const { rows } = await pool.query<{
    id: string;
    lead_id: string;
    destination: string;
    attempts: number;
  }>(
    `update deliveries
     set state = 'uncertain', lease_owner = null, lease_until = null,
       finished_at = coalesce($2::timestamptz, now()),
       last_message = 'The worker stopped during the send: it may have arrived, so it is not sent again'
     where state = 'sending' and lease_until < coalesce($2::timestamptz, now())
       and destination = any($1::text[])
     returning id, lead_id, destination, attempts`,
    [notRecognising, now ?? null],
  );
  for (const { id, attempts } of rows) await closeLostAttempts(pool, id, attempts + 1, now);
  return rows.map(({ id, lead_id, destination }) => ({
    deliveryId: id,
    leadId: lead_id,
    destination,
  }));
}

/**
 * Ends every lease, for a process that knows to be the only one on this database: the workers that
 * held them are dead, so there is nothing to wait for.
 */
export async function endAbandonedLeases(pool: pg.Pool): Promise<void> {
  await pool.query(`update deliveries set lease_until = 'epoch' where state = 'sending'`);
}
