/** Reads the console's page about deliveries. */
import type { Role } from '../../model/messages/console/people.ts';
import type { DeliveriesAnswer, DestinationAnswer } from '../../model/messages/console/work.ts';
import type { DestinationSetting } from '../delivery/destinations/index.ts';
import {
  type DestinationHealth,
  destinationState,
  readBuyerNames,
  readHealth,
} from '../delivery/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import { pauseReasonFor } from '../platform/shown-reason.ts';
import { midnight } from '../platform/time-format.ts';
import { BUCKETS_PER_DOUBLING } from './count-hour.ts';
import { countDead, type LocalPeriod, readReasons } from './failure-reasons.ts';
import { quantile, sumOf } from './statistics.ts';
import { destinationTitle } from './words.ts';

/** Reads each destination's state and attempts. */
export async function readDeliveries(
  client: Queryable,
  options: {
    readonly destinations: readonly DestinationSetting[];
    readonly period: LocalPeriod;
    readonly now: Date;
    readonly role: Role;
  },
): Promise<DeliveriesAnswer> {
  const { destinations, period, now, role } = options;
  const names = destinations.map(({ definition }) => definition.name);
  const [health, attempts, reasons, dead, buyerNames] = await Promise.all([
    readHealth(client, names),
    readAttempts(client, period),
    readReasons(client, names, period),
    countDead(client, names, period),
    readBuyerNames(client),
  ]);
  const answers = destinations.map(({ definition, values }, index): DestinationAnswer => {
    const { name, events } = definition;
    const title = destinationTitle(name, buyerNames);
    // `health` has one entry for each destination, in the same order.
    const own = health[index] as DestinationHealth;
    const { pausedBy, pauseReason, pausedAt, oldestWaitSeconds, waiting, retrying } = own;
    const waitsSince = new Date(now.getTime() - oldestWaitSeconds * 1_000).toISOString();
    return {
      name,
      title,
      receives: events === undefined ? 'leads' : 'events',
      state: values === undefined ? 'off' : destinationState(own),
      pausedBy,
      pauseReason: pauseReasonFor(role, { pausedBy, pauseReason }),
      pausedAt: pausedAt?.toISOString() ?? null,
      waiting,
      retrying,
      waitsSince: oldestWaitSeconds === 0 ? null : waitsSince,
      lastFailure: own.failures > 0 ? own.lastFailure : null,
      ...(attempts.get(name) ?? countsOf([])),
      dead: dead.get(name) ?? 0,
      reasons: reasons.get(name) ?? [],
    };
  });
  return { destinations: answers };
}

type CountRow = { destination: string; outcome: string; bucket: number; attempts: number };

const BY_OUTCOME = `
select destination, outcome, bucket, sum(attempts)::float8 as attempts from hourly_attempts
where hour >= ${midnight('$1', '$3')}
  and hour < ${midnight('$2', '$3', 1)}
group by destination, outcome, bucket`;

/** Reads the counts of attempts by destination. */
export async function readAttempts(
  client: Queryable,
  { from, to, timeZone }: LocalPeriod,
): Promise<ReadonlyMap<string, ReturnType<typeof countsOf>>> {
  const { rows } = await client.query<CountRow>(BY_OUTCOME, [from, to, timeZone]);
  const groups = Map.groupBy(rows, ({ destination }) => destination);
  return new Map([...groups].map(([destination, own]) => [destination, countsOf(own)]));
}

function countsOf(rows: readonly CountRow[]) {
  const sum = (all: readonly CountRow[]) => sumOf(all.map((row) => row.attempts));
  const total = (...outcomes: string[]) =>
    sum(rows.filter(({ outcome }) => outcomes.includes(outcome)));
  const [attempts, delivered] = [sum(rows), total('delivered')];
  const rejected = total('rejected', 'duplicate');
  return {
    attempts,
    delivered,
    rejected,
    failed: attempts - delivered - rejected,
    p50Ms: durationAt(rows, 0.5),
    p95Ms: durationAt(rows, 0.95),
  };
}

/** Returns the duration in ms within which a share of the attempts ended. `share` is 0 to 1. */
function durationAt(rows: readonly CountRow[], share: number): number | null {
  const known = rows.filter(({ bucket }) => bucket >= 0);
  const bucket = quantile(
    known.map((row) => [row.bucket, row.attempts]),
    share,
  );
  return bucket === undefined ? null : Math.round(2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING));
}
