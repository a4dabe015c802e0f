/** Reads the health of destinations (docs/specification.md#health-of-destinations). */
import type { Queryable } from '../platform/database/database.ts';

export const openStates = ['waiting', 'retrying', 'sending'] as const;

/** A destination's health, with the number of deliveries (at most 10,000) for each open state. */
export type DestinationHealth = Readonly<Record<(typeof openStates)[number], number>> & {
  readonly destination: string;
  /** Seconds since the oldest due delivery became due; 0 if no delivery is due. */
  readonly oldestDueSeconds: number;
  /** Seconds that the oldest open delivery has waited; 0 if none waits. */
  readonly oldestWaitSeconds: number;
  /** The number of attempts that failed in a row. */
  readonly failures: number;
  /** The last failure, without personal data. */
  readonly lastFailure: string | null;
  /** The time when the destination's settings were first missing; null if no setting is missing. */
  readonly offAt: Date | null;
  readonly pausedAt: Date | null;
  /** `answer` if the destination refused our account, else the operator's name. */
  readonly pausedBy: string | null;
  readonly pauseReason: string | null;
  /** True after an alert about failed attempts, until the destination answers again. */
  readonly isFailing: boolean;
  /** True if operators were alerted to a lead that waits too long. */
  readonly isLate: boolean;
};

/** The states of a destination. `off`: its settings are missing. */
export const destinationStates = ['on', 'off', 'paused', 'failing'] as const;

export function destinationState(health: DestinationHealth): (typeof destinationStates)[number] {
  if (health.offAt !== null) return 'off';
  if (health.pausedAt !== null) return 'paused';
  return health.isFailing || health.isLate ? 'failing' : 'on';
}

/** Returns one sentence for each problem of a destination. */
export function troublesOf(health: DestinationHealth): string[] {
  const { destination, failures, lastFailure } = health;
  const state = destinationState(health);
  if (state === 'paused') {
    return [`${destination} is paused: ${health.pauseReason ?? 'an operator paused it.'}`];
  }
  if (state === 'off') {
    const isNeeded = health.waiting + health.retrying > 0;
    return isNeeded ? [`Deliveries wait for ${destination}, which has no settings.`] : [];
  }
  const minutes = Math.round(health.oldestWaitSeconds / 60);
  return [
    health.isFailing &&
      `The last ${failures} sends to ${destination} failed: ${lastFailure ?? 'no reason kept'}.`,
    health.isLate && `The oldest lead to ${destination} has waited for ${minutes} minutes.`,
  ].filter((text) => text !== false);
}

/** Maximum number of deliveries that are counted, because counting more would take too long. */
const MOST_COUNTED = 10_000;

// Sorts by due time, so that the limit never excludes the oldest delivery.
const HEALTH = `
select want.destination, open.*, coalesce(h.failures, 0) as failures,
  h.last_failure as "lastFailure", h.off_at as "offAt", h.paused_at as "pausedAt",
  h.paused_by as "pausedBy", h.pause_reason as "pauseReason",
  h.failing_alerted_at is not null as "isFailing", h.late_alerted_at is not null as "isLate"
from unnest($1::text[]) with ordinality as want(destination, position)
left join destination_health h on h.destination = want.destination
cross join lateral (
  select count(*) filter (where state = 'waiting')::int as waiting,
    count(*) filter (where state = 'retrying')::int as retrying,
    count(*) filter (where state = 'sending')::int as sending,
    greatest(extract(epoch from now() - min(due_at)), 0)::float8 as "oldestDueSeconds",
    case when count(*) = 0 then 0 else greatest(extract(epoch from
      now() - greatest(min(coalesce(first_due_at, due_at)), h.recovered_at)), 0) end::float8 as "oldestWaitSeconds"
  from (
    select state, first_due_at, due_at from deliveries
    where destination = want.destination and state in ('waiting', 'sending', 'retrying')
      and not is_unrouted
    order by due_at limit ${MOST_COUNTED}
  ) as first
) as open
order by want.position`;

/** Returns the health of each destination, in the given order. */
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
