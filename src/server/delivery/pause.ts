/** Pauses and resumes destinations for all processes. */
import type { Queryable } from '../platform/database/database.ts';
import { notFound, refused } from '../platform/operator-error.ts';
import { REOPEN } from './buyers.ts';
import { definitionOf, destinations, isBuyer } from './destinations/index.ts';

/** The value of `paused_by` if the destination refused our account. */
const PAUSED_BY_ANSWER = 'answer';
/** Interval at which a destination that refused our account gets one delivery as a test. */
export const TRIAL_EVERY_MS = 60_000;

/** Maps each paused destination to true if the caller may send one delivery to test the account. */
export async function readPaused(
  client: Queryable,
  destinations: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await client.query<{ destination: string; isTrialDue: boolean }>({
    name: 'health-gates',
    text: `
      with tried as (
        update destination_health h set trial_at = now() + ${TRIAL_EVERY_MS} * interval '1 millisecond'
        where destination = any($1::text[]) and paused_at is not null and trial_at <= now()
          and exists (select 1 from deliveries d where d.destination = h.destination
            and d.state in ('waiting', 'retrying') and not d.is_unrouted and d.due_at <= now())
        returning destination
      )
      select destination, exists (select 1 from tried where tried.destination = h.destination) as "isTrialDue"
      from destination_health h where destination = any($1::text[]) and paused_at is not null`,
    values: [destinations],
  });
  return new Map(rows.map(({ destination, isTrialDue }) => [destination, isTrialDue]));
}

/** Pauses a destination, and returns whether this call changed the pause. */
export async function pauseDeliveries(
  client: Queryable,
  destination: string,
  reason: string,
  operator: string | null = null,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into destination_health as h (destination, paused_at, paused_by, pause_reason, trial_at)
     values ($1, now(), coalesce($3::text, '${PAUSED_BY_ANSWER}'), $2,
       case when $3::text is null then now() + ${TRIAL_EVERY_MS} * interval '1 millisecond' end)
     on conflict (destination) do update set paused_at = excluded.paused_at,
       paused_by = excluded.paused_by, pause_reason = excluded.pause_reason, trial_at = excluded.trial_at
     where h.paused_at is null or h.paused_by = '${PAUSED_BY_ANSWER}' and $3::text is not null`,
    [destination, reason, operator],
  );
  return rowCount === 1;
}

/** Resumes a destination, and returns whether this call changed the pause. */
export async function resumeDeliveries(
  client: Queryable,
  destination: string,
  by: 'answer' | 'operator',
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update destination_health set paused_at = null, paused_by = null, pause_reason = null,
       trial_at = null, recovered_at = now()
     where destination = $1 and paused_at is not null and ($2 or paused_by = '${PAUSED_BY_ANSWER}')`,
    [destination, by === 'operator'],
  );
  if (rowCount === 1 && isBuyer(destination)) await client.query(REOPEN);
  return rowCount === 1;
}

/** Records at start-up which destinations have settings. A buyer that is no destination any more has none. */
export async function noteSettings(
  client: Queryable,
  { on, off }: { readonly on: readonly string[]; readonly off: readonly string[] },
): Promise<void> {
  await client.query(
    `insert into destination_health (destination, off_at)
     select unnest($1::text[]), now() union select destination, now() from buyers where destination <> all($2::text[])
     on conflict (destination) do update set off_at = coalesce(destination_health.off_at, now())`,
    [off, on],
  );
  await client.query(
    `update destination_health set off_at = null,
       trial_at = case when paused_by = '${PAUSED_BY_ANSWER}' then now() else trial_at end
     where destination = any($1::text[])`,
    [on],
  );
}

/** Pauses a destination. @throws OperatorError if the destination is unknown or already paused */
export async function pauseDestination(
  client: Queryable,
  destination: string,
  { operator, reason }: { readonly operator: string; readonly reason: string },
): Promise<void> {
  requireDestination(destination);
  if (await pauseDeliveries(client, destination, reason, operator)) return;
  throw refused(`Deliveries to ${destination} are paused already.`);
}

/** Resumes a destination. @throws OperatorError if the destination is unknown or not paused */
export async function resumeDestination(client: Queryable, destination: string): Promise<void> {
  requireDestination(destination);
  if (await resumeDeliveries(client, destination, 'operator')) return;
  throw refused(`Deliveries to ${destination} are not paused.`);
}

function requireDestination(destination: string): void {
  if (definitionOf(destination) !== undefined) return;
  const names = destinations.map(({ name }) => name);
  throw notFound(
    `There is no destination "${destination.slice(0, 40)}". The destinations are ${names.join(', ')}.`,
  );
}
