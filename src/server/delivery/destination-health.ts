/**
 * Statements on `destination_health`: which destinations are paused or fail, and which alerts were sent. All
 * processes share the rows. Each transition is one conditional write, so that exactly one process alerts.
 */

import type { Queryable } from '../platform/database/database.ts';
import type {
  DestinationHealth,
  OpenDeliveries,
  openStates,
} from '../platform/destination-health.ts';

/** The `paused_by` of a destination that refused our account. */
const PAUSED_BY_ANSWER = 'answer';
/** How often one delivery tests a destination that refused our account. */
export const PROBE_EVERY_MS = 60_000;
/** How many of a destination's open deliveries to search for the longest wait, in order of due time. */
const MOST_LOOKED_AT = 1_000;

/** A paused destination, and whether the caller may send it one delivery as a probe. */
type PausedDestination = { readonly destination: string; readonly isProbed: boolean };

/** Returns the paused destinations. Gives a due probe to this caller only, at most one per minute. */
export async function readPaused(
  client: Queryable,
  destinations: readonly string[],
): Promise<PausedDestination[]> {
  const { rows } = await client.query<PausedDestination>({
    name: 'health-gates',
    text: `
      with probed as (
        update destination_health h set probe_at = now() + ${PROBE_EVERY_MS} * interval '1 millisecond'
        where destination = any($1::text[]) and paused_at is not null and probe_at <= now()
          and exists (select 1 from deliveries d where d.destination = h.destination
            and d.state in ('waiting', 'retrying') and d.due_at <= now())
        returning destination
      )
      select destination, exists (select 1 from probed where probed.destination = h.destination) as "isProbed"
      from destination_health h where destination = any($1::text[]) and paused_at is not null`,
    values: [destinations],
  });
  return rows;
}

/**
 * Pauses a destination: until it accepts our account again, or until a person resumes it. A pause by an operator
 * replaces one that an answer caused. Returns whether this call did it.
 */
export async function pauseDeliveries(
  client: Queryable,
  destination: string,
  reason: string,
  operator: string | null = null,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into destination_health as h (destination, paused_at, paused_by, pause_reason, probe_at)
     values ($1, now(), coalesce($3::text, '${PAUSED_BY_ANSWER}'), $2,
       case when $3::text is null then now() + ${PROBE_EVERY_MS} * interval '1 millisecond' end)
     on conflict (destination) do update set paused_at = excluded.paused_at,
       paused_by = excluded.paused_by, pause_reason = excluded.pause_reason, probe_at = excluded.probe_at
     where h.paused_at is null or h.paused_by = '${PAUSED_BY_ANSWER}' and $3::text is not null`,
    [destination, reason, operator],
  );
  return rowCount === 1;
}

/**
 * Resumes a paused destination.
 *
 * @param by `answer`: it accepts our account again, and a pause by an operator stays
 * @returns how many seconds it was paused, or undefined if this call ended no pause
 */
export async function resumeDeliveries(
  client: Queryable,
  destination: string,
  by: 'answer' | 'operator',
): Promise<number | undefined> {
  const { rows } = await client.query<{ seconds: number }>(
    `with was as (
       select destination, paused_at from destination_health
       where destination = $1 and paused_at is not null
         and ($2 or paused_by = '${PAUSED_BY_ANSWER}') for update
     )
     update destination_health h set paused_at = null, paused_by = null, pause_reason = null,
       probe_at = null, recovered_at = now()
     from was where h.destination = was.destination
     returning extract(epoch from now() - was.paused_at)::float8 as seconds`,
    [destination, by === 'operator'],
  );
  return rows[0]?.seconds;
}

/** Records at start-up which destinations have settings. Probes refused accounts at once: they may be fixed. */
export async function noteSettings(
  client: Queryable,
  { on, off }: { readonly on: readonly string[]; readonly off: readonly string[] },
): Promise<void> {
  await client.query(
    `insert into destination_health (destination, off_at) select unnest($1::text[]), now()
     on conflict (destination) do update set off_at = coalesce(destination_health.off_at, now())`,
    [off],
  );
  await client.query(
    `update destination_health set off_at = null,
       probe_at = case when paused_by = '${PAUSED_BY_ANSWER}' then now() else probe_at end
     where destination = any($1::text[])`,
    [on],
  );
}

/** The results of this process's sends to a destination since the last write. */
export type Tally = {
  readonly destination: string;
  /** Failures since the last success. */
  readonly failures: number;
  /** Whether the destination answered at least once. */
  readonly hasSucceeded: boolean;
  /** The last failure, in our own words. */
  readonly lastFailure: string | null;
};

/** Adds this process's results to the shared rows. */
export async function addTallies(client: Queryable, tallies: readonly Tally[]): Promise<void> {
  if (tallies.length === 0) return;
  await client.query(
    `insert into destination_health as h (destination, failures, last_failure)
     select destination, failures, "lastFailure" from jsonb_to_recordset($1::jsonb)
       as t (destination text, failures integer, "hasSucceeded" boolean, "lastFailure" text)
     order by destination
     on conflict (destination) do update set
       failures = excluded.failures + case when h.destination = any($2::text[]) then 0 else h.failures end,
       last_failure = coalesce(excluded.last_failure, h.last_failure)`,
    [
      JSON.stringify(tallies),
      tallies.filter((tally) => tally.hasSucceeded).map(({ destination }) => destination),
    ],
  );
}

// A delivery waits since the first attempt of its round was due. A recovery restarts the wait.
const HEALTH = `
select want.destination, coalesce(h.failures, 0) as failures, h.last_failure as "lastFailure",
  h.off_at as "offAt", h.paused_at as "pausedAt",
  h.paused_by as "pausedBy", h.pause_reason as "pauseReason",
  h.failing_told_at is not null as "isFailingTold", h.waiting_told_at is not null as "isWaitingTold",
  h.expiring_told_at is not null as "isExpiringTold", open."oldestOpenAt",
  case when open.since is null then 0 else greatest(extract(epoch from
    now() - greatest(open.since, h.recovered_at)), 0) end::float8 as "oldestWaitSeconds"
from unnest($1::text[]) as want(destination)
left join destination_health h on h.destination = want.destination
cross join lateral (
  select min(coalesce(first.first_due_at, first.due_at)) as since,
    min(first.created_at) as "oldestOpenAt"
  from (
    select first_due_at, due_at, created_at from deliveries
    where destination = want.destination and state in ('waiting', 'sending', 'retrying')
    order by due_at limit ${MOST_LOOKED_AT}
  ) as first
) as open`;

/** Returns the health of the destinations. */
export async function readHealth(
  client: Queryable,
  destinations: readonly string[],
): Promise<DestinationHealth[]> {
  const { rows } = await client.query<DestinationHealth>({
    name: 'health-read',
    text: HEALTH,
    values: [destinations],
  });
  return rows;
}

/** Counting stops here, which bounds the cost of a read. */
const MOST_COUNTED = 10_000;
// Reads the index by due time, oldest first, so that the limit never cuts off the oldest delivery.
const OPEN = `
select want.destination, counted.state, counted.open, counted.due_seconds
from unnest($1::text[]) as want(destination)
cross join lateral (
  select first.state, count(*)::int as open,
    greatest(extract(epoch from now() - min(first.due_at)), 0)::float8 as due_seconds
  from (
    select state, due_at from deliveries
    where destination = want.destination and state in ('waiting', 'sending', 'retrying')
    order by due_at limit ${MOST_COUNTED}
  ) as first
  group by first.state
) as counted`;

/** Counts the open deliveries in the queue, and joins the health of their destinations. */
export async function readOpenDeliveries(
  client: Queryable,
  destinations: readonly string[],
  health: readonly DestinationHealth[] = [],
): Promise<OpenDeliveries> {
  type State = (typeof openStates)[number];
  type Row = { destination: string; state: State; open: number; due_seconds: number | null };
  const { rows } = await client.query<Row>({
    name: 'monitoring-open',
    text: OPEN,
    values: [destinations],
  });
  return destinations.map((destination) => {
    const own = rows.filter((row) => row.destination === destination);
    const count = (state: State) => own.find((row) => row.state === state)?.open ?? 0;
    return {
      destination,
      waiting: count('waiting'),
      retrying: count('retrying'),
      sending: count('sending'),
      oldestDueSeconds: Math.max(0, ...own.map((row) => row.due_seconds ?? 0)),
      health: health.find((each) => each.destination === destination),
    };
  });
}

/** Marks that operators were alerted to a problem, or that it is over. Returns whether this call did it. */
export async function mark(
  client: Queryable,
  destination: string,
  column: 'failing_told_at' | 'waiting_told_at' | 'expiring_told_at',
  isAlerted: boolean,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into destination_health as h (destination, ${column})
     values ($1, case when $2 then now() end)
     on conflict (destination) do update set ${column} = excluded.${column}
     where (h.${column} is null) <> (excluded.${column} is null)`,
    [destination, isAlerted],
  );
  return rowCount === 1;
}

/** Maximum number of deliveries to bring forward in one statement. */
const HURRIED_AT_ONCE = 5_000;

/** Makes retries due now, for a destination that has recovered. Deliveries answered with 429 keep their time. */
export async function hurryRetries(client: Queryable, destination: string): Promise<void> {
  await client.query('update destination_health set recovered_at = now() where destination = $1', [
    destination,
  ]);
  for (let hurried = HURRIED_AT_ONCE; hurried === HURRIED_AT_ONCE; ) {
    const { rowCount } = await client.query(
      `with later as (
         select id from deliveries d
         where destination = $1 and state = 'retrying' and due_at > now()
           and not exists (select 1 from delivery_attempts a
             where a.delivery_id = d.id and a.attempt = d.attempts and a.http_status = 429)
         limit ${HURRIED_AT_ONCE} for update skip locked
       )
       update deliveries set due_at = now() where id in (select id from later)`,
      [destination],
    );
    hurried = rowCount ?? 0;
  }
}
