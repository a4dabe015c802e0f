/** The health of destinations, which all processes share (docs/specification.md#health-of-destinations). */
import type { Queryable } from '../platform/database/database.ts';

export type DestinationHealth = {
  readonly destination: string;
  /** The number of consecutive failed sends. */
  readonly failures: number;
  /** The last failure, in our own words without personal data. */
  readonly lastFailure: string | null;
  /** Age of the oldest active delivery, including planned pauses. 0 if no delivery waits. */
  readonly oldestWaitSeconds: number;
  /** The time when the lead of the oldest open delivery arrived. Null if no delivery is open. */
  readonly oldestOpenAt: Date | null;
  /** The time since when its settings are missing. Null if they are present. */
  readonly offAt: Date | null;
  readonly pausedAt: Date | null;
  /** `answer` if the destination refused our account, else the operator's name. */
  readonly pausedBy: string | null;
  readonly pauseReason: string | null;
  readonly isFailingTold: boolean;
  readonly isWaitingTold: boolean;
  readonly isExpiringTold: boolean;
};

/** The states of a destination. `off`: its settings are missing. `failing`: operators were alerted to failures. */
export const destinationStates = ['on', 'off', 'paused', 'failing'] as const;

/** Returns the state of a destination. */
export function destinationState(health: DestinationHealth): (typeof destinationStates)[number] {
  if (health.offAt !== null) return 'off';
  if (health.pausedAt !== null) return 'paused';
  return health.isFailingTold || health.isWaitingTold ? 'failing' : 'on';
}

export const openStates = ['waiting', 'retrying', 'sending'] as const;

/** The open deliveries of one destination. */
export type OpenDelivery = Readonly<Record<(typeof openStates)[number], number>> & {
  readonly destination: string;
  /** How long the oldest due delivery has been due. 0 if no delivery is due. */
  readonly oldestDueSeconds: number;
  /** Undefined if the destination's errors are ignored. */
  readonly health?: DestinationHealth | undefined;
};
export type OpenDeliveries = readonly OpenDelivery[];

/** Returns one sentence for each problem of a destination. */
export function troublesOf({ destination, health, ...open }: OpenDelivery): string[] {
  if (health === undefined) return [];
  const state = destinationState(health);
  if (state === 'paused') {
    return [`${destination} is paused: ${health.pauseReason ?? 'an operator paused it.'}`];
  }
  if (state === 'off') {
    const isNeeded = open.waiting + open.retrying > 0;
    return isNeeded ? [`Deliveries wait for ${destination}, which has no settings.`] : [];
  }
  const troubles: string[] = [];
  if (health.isFailingTold) {
    const last = health.lastFailure ?? 'no reason kept';
    troubles.push(`The last ${health.failures} sends to ${destination} failed: ${last}.`);
  }
  if (health.isWaitingTold) {
    const minutes = Math.round(health.oldestWaitSeconds / 60);
    troubles.push(`The oldest lead to ${destination} has waited for ${minutes} minutes.`);
  }
  return troubles;
}

/** Maximum number of a destination's open deliveries to search for the longest wait, in order of due time. */
const MOST_LOOKED_AT = 1_000;

// A wait begins when the first attempt of a round is due or the destination recovers.
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

/** Maximum count, which limits the cost of a read. */
const MOST_COUNTED = 10_000;
// Reads the index by due time, oldest first, so that the limit never excludes the oldest delivery.
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

/**
 * Counts the open deliveries of destinations and reads the destinations' health.
 * @param ignored destinations whose errors are ignored; they have no health
 */
export async function readOpenDeliveries(
  client: Queryable,
  destinations: readonly string[],
  ignored: readonly string[] = [],
): Promise<OpenDeliveries> {
  type State = (typeof openStates)[number];
  type Row = { destination: string; state: State; open: number; due_seconds: number | null };
  const watched = destinations.filter((name) => !ignored.includes(name));
  const health = await readHealth(client, watched);
  const open = { name: 'monitoring-open', text: OPEN, values: [destinations] };
  const { rows } = await client.query<Row>(open);
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
