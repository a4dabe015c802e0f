/** Counts what changed in the ledger (docs/decisions/0068-counts.md). One process at a time, in small portions. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { trackingFields } from '../../../domain/tracking-fields.ts';
import { loadSurveyTable } from '../../../intake/survey-table.ts';
import type { Logger } from '../../../postgres/logger.ts';
import type { KeepDays, Settings } from '../../config/settings.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import { cleanDatabaseError } from '../../storage/database-error.ts';
import { countAttempts } from '../destinations/attempts.ts';
import { countHours } from './hours.ts';
import { type CountedSurvey, summariseVisits } from './summaries.ts';

/** A change commits at most this long after the time that it carries. Statements end after 15 s. */
const SETTLE_SECONDS = 60;
/** Early changes are looked for again over this time, since most commit a little later than their time. */
const OVERLAP_SECONDS = 5;
/** The hours of one run: each is counted from all of its visits. */
const HOURS_AT_ONCE = 6;
const VISITS_AT_ONCE = 5_000;
/** The counting rests this many times as long as it worked, so it costs at most 3 % of a processor. */
const REST = 30;
const LEAST_REST_MS = 1_000;
const REST_AFTER_ERROR_MS = 10_000;

export type CountingOptions = {
  readonly surveys: readonly CountedSurvey[];
  /** Destinations that buy no leads: their deliveries do not count as delivered or rejected. */
  readonly services: readonly string[];
  readonly keep: Pick<KeepDays, 'visits' | 'clicks' | 'leads'>;
};

/** One run of the counting. */
export type Counted = {
  readonly visits: number;
  readonly hours: number;
  /** Whether settled changes or changed hours wait for the next run. */
  readonly hasMore: boolean;
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

/** Takes the right to count until the end of the transaction. Times are text, to keep their microseconds. $1: now. $2: days. */
const TAKE = `
with clock as (select coalesce($1::timestamptz, now()) as now), counting as (
  select * from counting where id = 1 for update skip locked
)
select clock.now::text as now, (clock.now - interval '${SETTLE_SECONDS} seconds')::text as "settledTo",
  least(settled_until, clock.now - interval '${SETTLE_SECONDS} seconds')::text as "settledFrom",
  greatest(least(coalesce(counted_until, 'epoch'), clock.now) - interval '${OVERLAP_SECONDS} seconds',
    clock.now - interval '${SETTLE_SECONDS} seconds')::text as "earlyFrom",
  greatest(complete_since, clock.now - $2::integer * interval '1 day')::text as "completeSince"
from counting, clock`;

type Turn = Record<'now' | 'settledTo' | 'settledFrom' | 'earlyFrom' | 'completeSince', string>;

const changedTables = [
  ['visits', 'seen_at'],
  ['deliveries', 'finished_at'],
  ['lead_events', 'at'],
];
/** They are counted beside the visits (`countAttempts`), and bound a portion as well. */
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

/** An hour may have become too old since it was marked. $1: since when no visit was purged. */
const dueHours = (order: 'asc' | 'desc') => `
select hour::text as hour, hour >= $1::timestamptz as "isWhole"
from hours_to_count order by hour ${order} limit ${HOURS_AT_ONCE + 1}`;

/**
 * Runs the counting once: first changes that are settled, then, if none of them waits, the newest ones.
 *
 * @param options.limit how many changes to take at most
 * @returns undefined if another process is counting
 */
export async function countChanges(
  pool: pg.Pool,
  options: CountingOptions & { readonly limit?: number; readonly now?: Date | undefined },
): Promise<Counted | undefined> {
  const summed = await inTransaction(pool, (client) => sumUp(client, options));
  const hours =
    summed &&
    (await inTransaction(pool, (client) => countDueHours(client, options, summed.hasMore)));
  if (!summed || !hours) return undefined;
  const hasMore = summed.hasMore || hours.hasMore;
  return { visits: summed.visits, hours: hours.counted, hasMore };
}

async function takeTurn(
  client: Queryable,
  { keep, now }: CountingOptions & { readonly now?: Date | undefined },
): Promise<Turn | undefined> {
  const days = Math.min(keep.visits, keep.clicks, keep.leads);
  return (await client.query<Turn>(TAKE, [now ?? null, days])).rows[0];
}

/** Writes the summaries of changed visits, and how far the ledger is counted. */
async function sumUp(
  client: Queryable,
  options: CountingOptions & { readonly limit?: number; readonly now?: Date | undefined },
): Promise<{ visits: number; hasMore: boolean } | undefined> {
  const turn = await takeTurn(client, options);
  if (!turn) return undefined;
  const { limit = VISITS_AT_ONCE } = options;
  const { completeSince, settledTo, now } = turn;
  let written = 0;
  const take = async (from: string, to: string) => {
    const { rows } = await client.query<{ until: string; visits: string[] }>(CHANGED, [
      from,
      to,
      limit,
    ]);
    const { until = to, visits = [] } = rows[0] ?? {};
    if (visits.length > 0) {
      written += await summariseVisits(client, visits, { ...options, completeSince });
      await client.query(MARK_HOURS, [visits, completeSince]);
    }
    return { until, visits };
  };
  const settled = await take(turn.settledFrom, settledTo);
  const hasMore = settled.until !== settledTo;
  // A visit from the future: the clock was set back. It counts at once.
  const early = hasMore
    ? { until: settled.until, visits: [] }
    : await take(turn.earlyFrom, 'infinity');
  await countAttempts(client, turn.settledFrom, early.until);
  const countedUntil = early.until === 'infinity' ? now : early.until;
  await client.query(
    `update counting set settled_until = $1, counted_until = $2, complete_since = $3,
       changed_at = case when $4::boolean then $5 else changed_at end where id = 1`,
    [settled.until, countedUntil, completeSince, written > 0, now],
  );
  return { visits: settled.visits.length + early.visits.length, hasMore };
}

/**
 * Counts some of the changed hours again, the newest first. While settled changes wait, it counts the oldest ones and
 * leaves the last ones, since the waiting changes are in them.
 */
async function countDueHours(
  client: Queryable,
  options: CountingOptions & { readonly now?: Date | undefined },
  isBehind: boolean,
): Promise<{ counted: number; hasMore: boolean } | undefined> {
  const turn = await takeTurn(client, options);
  if (!turn) return undefined;
  const { rows } = await client.query<{ hour: string; isWhole: boolean }>(
    dueHours(isBehind ? 'asc' : 'desc'),
    [turn.completeSince],
  );
  if (isBehind && rows.length <= HOURS_AT_ONCE) return { counted: 0, hasMore: true };
  const due = rows.slice(0, HOURS_AT_ONCE);
  if (due.length === 0) return { counted: 0, hasMore: false };
  const whole = due.flatMap(({ hour, isWhole }) => (isWhole ? [hour] : []));
  const written = await countHours(client, whole, options.surveys);
  if (written > 0) {
    await client.query('update counting set changed_at = $1 where id = 1', [turn.now]);
  }
  await client.query('delete from hours_to_count where hour = any($1::timestamptz[])', [
    due.map(({ hour }) => hour),
  ]);
  return { counted: whole.length, hasMore: rows.length > due.length };
}

/**
 * Makes all counts again from the ledger. Hours whose visits may be purged stay as they are. Counts can be read meanwhile.
 *
 * @param options.onPortion called after each portion
 */
export async function recount(
  pool: pg.Pool,
  options: CountingOptions & { onPortion?(done: Counted): void; readonly signal?: AbortSignal },
): Promise<void> {
  const { onPortion, signal } = options;
  await inTransaction(pool, async (client) => {
    await client.query('select 1 from counting where id = 1 for update');
    await client.query(`update counting set settled_until = 'epoch' where id = 1`);
    await client.query(
      `insert into hours_to_count (hour)
       select distinct hour from hourly_counts where hour >= (select complete_since from counting where id = 1)
       on conflict do nothing`,
    );
  });
  await removeOrphans(pool);
  while (!signal?.aborted) {
    const done = await countChanges(pool, options);
    if (done) onPortion?.(done);
    else await sleep(LEAST_REST_MS);
    if (done && !done.hasMore) return;
  }
}

/** Removes the summaries of visits that are gone. Avoids `in` and `not exists`, which may hash whole tables. */
async function removeOrphans(pool: pg.Pool): Promise<void> {
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
    const done: pg.QueryResult<{ last: string | null }> = await pool.query(
      `with portion as (
         select lead_id from visit_summaries where lead_id > $1 order by lead_id limit ${VISITS_AT_ONCE}
       ), gone as (
         delete from visit_summaries s where lead_id = any(array(select lead_id from portion))
           and (select true from visits where visits.lead_id = s.lead_id limit 1) is null
       )
       select (select max(lead_id::text) from portion) as last`,
      [after],
    );
    after = done.rows[0]?.last ?? null;
  }
}

/** Starts the counting, which repeats and rests. Any number of processes may start it: one of them counts. */
export function startCounting(
  options: CountingOptions & { readonly pool: pg.Pool; readonly log: Logger },
): {
  /** Stops the counting and waits for the current run. */
  stop(): Promise<void>;
} {
  const { pool, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const working = (async () => {
    while (!signal.aborted) {
      const startedMs = performance.now();
      let restMs = LEAST_REST_MS;
      try {
        await countChanges(pool, options);
        restMs = Math.max(restMs, (performance.now() - startedMs) * REST);
      } catch (error) {
        restMs = REST_AFTER_ERROR_MS;
        log.warn({ err: cleanDatabaseError(error) }, 'The counting failed; it is tried again');
      }
      await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    stop() {
      stopping.abort();
      return working;
    },
  };
}
