/** Reads the delivery queue for monitoring: how many deliveries are open, and how long they have waited. */
import type pg from 'pg';
import type { DestinationHealth } from '../base/destination-health.ts';
import { inTime } from '../base/in-time.ts';

export const openStates = ['waiting', 'retrying', 'sending'] as const;

/** The states of a destination. `off`: without settings. `failing`: its operators were alerted. */
export const destinationStates = ['on', 'off', 'paused', 'failing'] as const;

/** The open deliveries of one destination. */
export type OpenDelivery = Readonly<Record<(typeof openStates)[number], number>> & {
  readonly destination: string;
  /** How long the oldest has been due; 0 if none is due. */
  readonly oldestDueSeconds: number;
  /** Undefined for destinations whose errors are ignored. */
  readonly health?: DestinationHealth | undefined;
};
export type OpenDeliveries = readonly OpenDelivery[];

/** Counting stops here, which bounds the cost of a read. */
const MOST_COUNTED = 10_000;
/** A caller waits no longer than this for the database. */
const ANSWER_MS = 1_000;
/** How long the result of a read is reused. */
const KEEP_MS = 5_000;

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

type Row = {
  destination: string;
  state: (typeof openStates)[number];
  open: number;
  due_seconds: number | null;
};

/** Returns the state of a destination. */
export function destinationState(health: DestinationHealth): (typeof destinationStates)[number] {
  if (health.offAt !== null) return 'off';
  if (health.pausedAt !== null) return 'paused';
  return health.isFailingTold || health.isWaitingTold ? 'failing' : 'on';
}

/** Returns a sentence for each problem of a destination. */
export function troublesOf({ destination, health, ...open }: OpenDelivery): string[] {
  if (health === undefined) return [];
  const { failures, lastFailure, pauseReason, oldestWaitSeconds } = health;
  const waited = `${Math.round(oldestWaitSeconds / 60)} minutes`;
  switch (destinationState(health)) {
    case 'off':
      return open.waiting + open.retrying === 0
        ? []
        : [`Deliveries wait for ${destination}, which has no settings.`];
    case 'paused':
      return [`${destination} is paused: ${pauseReason ?? 'an operator paused it.'}`];
    case 'failing':
      return [
        ...(health.isFailingTold
          ? [
              `The last ${failures} sends to ${destination} failed: ${lastFailure ?? 'no reason kept'}.`,
            ]
          : []),
        ...(health.isWaitingTold
          ? [`The oldest lead to ${destination} has waited for ${waited}.`]
          : []),
      ];
    default:
      return [];
  }
}

/** Reads the open deliveries from the database once. */
export async function readOpenDeliveries(
  pool: Pick<pg.Pool, 'query'>,
  destinations: readonly string[],
  readHealth: () => Promise<readonly DestinationHealth[]> = async () => [],
): Promise<OpenDeliveries> {
  const health = await readHealth();
  const { rows } = await pool.query<Row>({
    name: 'monitoring-open',
    text: OPEN,
    values: [destinations],
  });
  return destinations.map((destination) => {
    const own = rows.filter((row) => row.destination === destination);
    const count = (state: Row['state']) => own.find((row) => row.state === state)?.open ?? 0;
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

/**
 * Returns a function that reads on demand, at most every few seconds and one read at a time.
 *
 * @param read may be slow or fail
 * @returns undefined from the function if the database did not answer within a second. Never rejects.
 */
export function watchOpenDeliveries(
  read: () => Promise<OpenDeliveries>,
  { answerMs = ANSWER_MS, keepMs = KEEP_MS }: { answerMs?: number; keepMs?: number } = {},
): () => Promise<OpenDeliveries | undefined> {
  let look: Promise<OpenDeliveries | undefined> | undefined;
  let endedAtMs: number | undefined;

  function current(): Promise<OpenDeliveries | undefined> {
    const isOld = endedAtMs !== undefined && performance.now() - endedAtMs >= keepMs;
    if (look && !isOld) return look;
    endedAtMs = undefined;
    look = read()
      .catch(() => undefined)
      .finally(() => {
        endedAtMs = performance.now();
      });
    return look;
  }

  return () => inTime(current(), answerMs);
}
