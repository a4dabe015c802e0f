/** What the delivery queue looks like from outside: how much is open, and for how long it has waited. */
import type pg from 'pg';
import type { DestinationHealth } from '../base/destination-health.ts';
import { inTime } from '../base/in-time.ts';

export const openStates = ['waiting', 'retrying', 'sending'] as const;

/** What a destination is doing: `off` has no settings, `failing` is one that the operators were told of. */
export const destinationStates = ['on', 'off', 'paused', 'failing'] as const;

/** One destination's deliveries that still move. */
export type OpenDelivery = Readonly<Record<(typeof openStates)[number], number>> & {
  readonly destination: string;
  /** For how long its oldest has been due, in seconds; 0: none is due. */
  readonly oldestDueSeconds: number;
  /** Undefined where nobody looks after its errors. */
  readonly health?: DestinationHealth | undefined;
};
export type OpenDeliveries = readonly OpenDelivery[];

/** More of one destination are not counted: a look costs the same however much waits. */
const MOST_COUNTED = 10_000;
/** Whoever asks is answered by then, with or without. */
const ANSWER_MS = 1_000;
/** One look serves everyone who asks in this time. */
const KEEP_MS = 5_000;

// Along the index of what is due, the longest due first, so the oldest is always among those counted.
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

/** Returns what a destination is doing. */
export function destinationState(health: DestinationHealth): (typeof destinationStates)[number] {
  if (health.offAt !== null) return 'off';
  if (health.pausedAt !== null) return 'paused';
  return health.isFailingTold || health.isWaitingTold ? 'failing' : 'on';
}

/** Returns one sentence for each trouble of a destination that somebody should know of. */
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

/** One look at the database. */
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
 * Looks when asked, at most every few seconds and one look at a time, however many ask.
 *
 * @param read one look; may take as long as it likes, or fail
 * @returns what was found; undefined where the database did not say it within a second. Never rejects.
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
