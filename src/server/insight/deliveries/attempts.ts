/** Counts attempts to deliver by hour, and reads these counts (docs/decisions/0068-counts.md). */
import type { Period } from '../../../model/messages/console/numbers.ts';
import type { Queryable } from '../../platform/database/database.ts';

/** Whole days, such as `2026-07-01`, both included, in a time zone. */
export type LocalPeriod = Period & { readonly timeZone: string };

/** The number of buckets of durations in which the duration doubles. */
const BUCKETS_PER_DOUBLING = 4;
/** How long an attempt may run: the longest time-out of a destination, and the retries of storing its result. */
const LONGEST_ATTEMPT = '5 minutes';

// $1: since. $2: until. An attempt that a dead worker left open ends when the next attempt begins, or when the
// delivery is parked.
const MARK_HOURS = `
with begun as (
  select delivery_id, attempt, started_at, ended_at from delivery_attempts
  where started_at >= $1::timestamptz - interval '${LONGEST_ATTEMPT}' and started_at <= $2::timestamptz
), changed as (
  select started_at, ended_at from begun
  union all
  select a.started_at, a.ended_at from begun
  join delivery_attempts a on a.delivery_id = begun.delivery_id and a.attempt = begun.attempt - 1
  union all
  select a.started_at, a.ended_at from deliveries d
  join delivery_attempts a on a.delivery_id = d.id and a.attempt = d.attempts
  where d.finished_at >= $1::timestamptz and d.finished_at <= $2::timestamptz
)
insert into hours_to_count (hour)
select distinct date_trunc('hour', started_at at time zone 'UTC') at time zone 'UTC' as hour from changed
where ended_at >= $1::timestamptz and ended_at <= $2::timestamptz order by hour
on conflict do nothing`;

const COUNT = `
insert into hourly_attempts (hour, destination, outcome, bucket, attempts)
select $1::timestamptz, d.destination, a.outcome,
  coalesce(floor(${BUCKETS_PER_DOUBLING} * ln(greatest(a.duration_ms, 1)::float8) / ln(2::float8))::int, -1)
    as bucket,
  count(*)
from delivery_attempts a
join deliveries d on d.id = a.delivery_id
join leads l on l.id = d.lead_id
where a.started_at >= $1::timestamptz and a.started_at < $1::timestamptz + interval '1 hour'
  and a.outcome is not null and not l.is_test
group by d.destination, a.outcome, bucket`;

/**
 * Marks the hours of attempts that ended within a time.
 *
 * @param since and `until` are times in ISO 8601, or as PostgreSQL writes them
 */
export async function markAttemptHours(
  client: Queryable,
  since: string,
  until = 'infinity',
): Promise<void> {
  await client.query(MARK_HOURS, [since, until]);
}

/** Counts the attempts that began in an hour again. */
export async function countAttempts(client: Queryable, hour: string): Promise<void> {
  await client.query('delete from hourly_attempts where hour = $1', [hour]);
  await client.query(COUNT, [hour]);
}

/** The attempts to one destination in a period. */
type AttemptCounts = ReturnType<typeof countsOf>;

/** A destination without attempts. */
export const NO_ATTEMPTS: AttemptCounts = countsOf([]);

type CountRow = { destination: string; outcome: string; bucket: number; attempts: number };

const BY_OUTCOME = `
select destination, outcome, bucket, sum(attempts)::float8 as attempts from hourly_attempts
where hour >= $1::date::timestamp at time zone $3
  and hour < ($2::date + 1)::timestamp at time zone $3
group by destination, outcome, bucket`;

/** Reads the attempts of a period by destination. Destinations without attempts are missing. */
export async function readAttempts(
  client: Queryable,
  { from, to, timeZone }: LocalPeriod,
): Promise<ReadonlyMap<string, AttemptCounts>> {
  const { rows } = await client.query<CountRow>(BY_OUTCOME, [from, to, timeZone]);
  const groups = Map.groupBy(rows, ({ destination }) => destination);
  return new Map([...groups].map(([destination, own]) => [destination, countsOf(own)]));
}

function countsOf(rows: readonly CountRow[]) {
  const sum = (all: readonly CountRow[]) => all.reduce((total, row) => total + row.attempts, 0);
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

/** Returns the duration that a share of the attempts did not exceed, exact to a tenth; null: none is known. */
function durationAt(rows: readonly CountRow[], share: number): number | null {
  const known = rows.filter(({ bucket }) => bucket >= 0).sort((a, b) => a.bucket - b.bucket);
  const wanted = known.reduce((sum, { attempts }) => sum + attempts, 0) * share;
  let passed = 0;
  for (const { bucket, attempts } of known) {
    passed += attempts;
    // The middle of the bucket, as durations spread evenly on a logarithmic scale.
    if (passed >= wanted) return Math.round(2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING));
  }
  return null;
}
