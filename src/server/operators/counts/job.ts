/** Counts what changed in the ledger (docs/decisions/0068-counts.md). */
import type pg from 'pg';
import { trackingFields } from '../../../domain/tracking-fields.ts';
import { loadSurveyTable } from '../../../intake/survey-table.ts';
import type { KeepDays, Settings } from '../../config/settings.ts';
import type { Queryable } from '../../storage/database.ts';
import { createTurn, type Jobs, type Turn } from '../../storage/jobs.ts';
import { countAttempts, markAttemptHours } from '../destinations/attempts.ts';
import { countHours } from './hours.ts';
import { type CountedSurvey, summariseVisits } from './summaries.ts';

/** A change commits at most this long after the time that it carries: statements end after 15 s. */
const SETTLE = `interval '60 seconds'`;
/** The job's name. Its items are hours. */
const JOB = 'counts';
const COUNT_EVERY_MS = 5_000;
/** The counting rests this many times as long as it worked, so it costs at most 3 % of a processor. */
const REST = 30;
const HOURS_AT_ONCE = 24;
const VISITS_AT_ONCE = 2_000;
/** An hour that takes longer is set aside. */
const HOUR_TIMEOUT = '20s';

export type CountingOptions = {
  readonly surveys: readonly CountedSurvey[];
  /** Destinations that buy no leads: their deliveries do not count as delivered or rejected. */
  readonly services: readonly string[];
  readonly keep: Pick<KeepDays, 'visits' | 'clicks' | 'leads'>;
};

/** Returns what the counting needs to know of the surveys and destinations. */
export async function countingOptions({
  surveys,
  destinations,
  keep,
}: Pick<Settings, 'surveys' | 'destinations' | 'keep'>): Promise<CountingOptions> {
  const table = await loadSurveyTable(surveys);
  return {
    surveys: surveys.map((survey) => ({
      path: survey.path,
      affiliate: trackingFields({}, survey).affid,
      language: survey.language,
      steps: Object.keys(table(survey.path)?.flow.steps ?? {}),
    })),
    services: destinations.flatMap(({ definition }) =>
      definition.buysNothing ? [definition.name] : [],
    ),
    keep,
  };
}

/**
 * Locks the counts until the end of the transaction, as an erasure does. Times are text, to keep their microseconds.
 * $1: now. $2: days. $3: where the last portion ended.
 */
const TAKE = `
with clock as (select coalesce($1::timestamptz, clock_timestamp()) as now), counting as (
  select * from counting where id = 1 for update
)
select clock.now::text as now,
  coalesce($3::timestamptz, least(coalesce(counted_until, '-infinity'), clock.now - ${SETTLE}))::text as since,
  greatest(complete_since, clock.now - $2::integer * interval '1 day')::text as "completeSince"
from counting, clock`;

type Taken = Record<'now' | 'since' | 'completeSince', string>;

const changedTables = [
  ['visits', 'seen_at'],
  ['deliveries', 'finished_at'],
  ['lead_events', 'at'],
];
/** They are counted by their own hour, and bound a portion as well. */
const attempts = ['delivery_attempts', 'started_at'];
const changes = (tables: readonly string[][], columns: string, until: string, limit = '') =>
  tables
    .map(
      ([table, at]) => `(select ${columns.replace('AT', at ?? '')} from ${table}
        where ${at} > $1::timestamptz and ${at} <= ${until} ${limit && `order by ${at} ${limit}`})`,
    )
    .join('\n      union all ');

// All changes of the same moment are in one portion, so that each portion is an advance. $1: from. $2: to. $3: changes.
const CHANGED = `
with portion as (
  select coalesce((
    select at from (${changes([...changedTables, attempts], 'AT as at', '$2::timestamptz', 'limit $3::integer')}) as change
    order by at offset $3::integer - 1 limit 1), $2::timestamptz) as until
)
select (select until::text from portion) as until, array(
  select distinct lead_id from (${changes(changedTables, 'lead_id', '(select until from portion)')}) as change) as visits`;

/** Marks the hours of visits as changed. Hours that may lack purged visits keep their counts. */
const MARK_HOURS = `
insert into hours_to_count (hour)
select distinct date_trunc('hour', created_at at time zone 'UTC') at time zone 'UTC' as hour from visits
where lead_id = any($1::uuid[])
  and date_trunc('hour', created_at at time zone 'UTC') at time zone 'UTC' >= $2::timestamptz
order by hour on conflict do nothing`;

/** The hours that have waited longest. $1: how many. */
const DUE_HOURS = `
select hour::text as hour from hours_to_count
where not exists (
  select 1 from set_aside where job = '${JOB}' and item = hour::text and retry_at > now())
order by at, hour desc limit $1`;

type CountOptions = CountingOptions & {
  /** How many changes to take at most. */
  readonly limit?: number;
  /** A clock for tests. */
  readonly now?: Date | undefined;
};

/** Where a portion ended, and what it did. */
export type Counted = {
  readonly visits: number;
  readonly hours: number;
  /** Where the next portion begins; undefined: every change is counted. */
  readonly next: string | undefined;
};

/**
 * Counts a portion: writes the summaries of changed visits, then counts some of their hours again, each in a
 * transaction. An hour that fails is set aside.
 *
 * @param since where the last portion ended; undefined: at the last change that may have been committed since
 */
export async function countPortion(
  turn: Turn,
  options: CountOptions,
  since?: string,
): Promise<Counted> {
  const { visits, next, completeSince, due } = await turn.transaction((client) =>
    summarise(client, options, since),
  );
  let hours = 0;
  for (const { hour } of due) {
    if (turn.signal.aborted) break;
    const { results } = await turn.doItems([hour], String, (client) =>
      countHour(client, hour, options.surveys, completeSince),
    );
    hours += results.length;
  }
  return { visits, hours, next };
}

/** Writes the summaries of changed visits, marks their hours, and moves the watermark. Returns the hours that are due. */
async function summarise(client: Queryable, options: CountOptions, since: string | undefined) {
  const { limit = VISITS_AT_ONCE, now, keep } = options;
  const days = Math.min(keep.visits, keep.clicks, keep.leads);
  const { rows: taken } = await client.query<Taken>(TAKE, [now ?? null, days, since ?? null]);
  const turn = taken[0] as Taken;
  const { completeSince } = turn;
  // A visit from the future: the clock was set back. It counts at once.
  const { rows } = await client.query<{ until: string; visits: string[] }>(CHANGED, [
    ...[turn.since, 'infinity', limit],
  ]);
  const { until = 'infinity', visits = [] } = rows[0] ?? {};
  let written = 0;
  if (visits.length > 0) {
    written = await summariseVisits(client, visits, { ...options, completeSince });
    await client.query(MARK_HOURS, [visits, completeSince]);
  }
  await markAttemptHours(client, turn.since, until);
  const next = until === 'infinity' ? undefined : until;
  await client.query(
    `update counting set complete_since = $2,
       counted_until = case when $1 < counted_until and counted_until < $3 then counted_until else $1 end,
       changed_at = case when $4::boolean then $3 else changed_at end where id = 1`,
    [next ?? turn.now, completeSince, turn.now, written > 0],
  );
  // While changes wait, they change most hours again.
  const { rows: due } = await client.query<{ hour: string }>(DUE_HOURS, [next ? 1 : HOURS_AT_ONCE]);
  return { visits: visits.length, next, completeSince, due };
}

/** Counts an hour again. Hours whose visits may be purged keep their counts. */
async function countHour(
  client: Queryable,
  hour: string,
  surveys: readonly CountedSurvey[],
  completeSince: string,
): Promise<void> {
  await client.query(`set local statement_timeout = '${HOUR_TIMEOUT}'`);
  // First, so that a change from here on marks the hour again.
  await client.query('delete from hours_to_count where hour = $1', [hour]);
  await countAttempts(client, hour);
  const { rowCount } = await client.query('select 1 where $1::timestamptz >= $2::timestamptz', [
    ...[hour, completeSince],
  ]);
  const written = rowCount === 0 ? 0 : await countHours(client, [hour], surveys);
  if (written === 0) return;
  await client.query('update counting set changed_at = clock_timestamp() where id = 1');
}

/**
 * Makes all counts again from the ledger. Hours whose visits may be purged stay as they are. Counts can be read meanwhile.
 *
 * @param options.onPortion called after each portion
 */
export async function recount(
  pool: pg.Pool,
  options: CountingOptions & {
    readonly onPortion?: (done: Counted) => void;
    readonly signal?: AbortSignal;
  },
): Promise<void> {
  const { onPortion, signal = new AbortController().signal } = options;
  const turn = createTurn({ pool, name: JOB, signal });
  await turn.transaction((client) =>
    client.query(
      `insert into hours_to_count (hour)
       select distinct hour from hourly_counts where hour >= (select complete_since from counting where id = 1)
       on conflict do nothing`,
    ),
  );
  let done: Counted = { visits: 0, hours: 0, next: '-infinity' };
  while (!signal.aborted && (done.next !== undefined || done.hours === HOURS_AT_ONCE)) {
    done = await countPortion(turn, options, done.next);
    onPortion?.(done);
  }
}

/** Starts the counting, in one process at a time. */
export function startCounting(jobs: Jobs, options: CountingOptions): void {
  let next: string | undefined;
  jobs.start({
    ...{ name: JOB, everyMs: COUNT_EVERY_MS, restFactor: REST },
    async run(turn) {
      const counted = await countPortion(turn, options, next);
      next = counted.next;
      return next === undefined && counted.hours < HOURS_AT_ONCE ? undefined : 0;
    },
  });
}
