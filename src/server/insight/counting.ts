/** Keeps the console's counts up to date with the ledger (docs/decisions/0068-counts.md). */
import type pg from 'pg';
import { trackingFields } from '../../model/fields/tracking-fields.ts';
import { loadSurveyTable } from '../../model/flows/survey-table.ts';
import { isBuyer } from '../delivery/destinations/index.ts';
import { chargeVisits } from '../money/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import { createTurn, type Jobs, type Turn } from '../platform/database/jobs.ts';
import type { Settings } from '../settings/settings.ts';
import { countHour, MARK_ATTEMPT_HOURS, MARK_MONEY_HOURS } from './count-hour.ts';

const JOB = 'counts';
const COUNT_EVERY_MS = 8_000;
/** The job pauses 30 times as long as it worked, to use at most 3 % of a processor. */
const REST = 30;
const HOURS_AT_ONCE = 24;
const CHANGES_AT_ONCE = 2_000;

type CountingOptions = Awaited<ReturnType<typeof countingOptions>>;

/** Returns the properties of surveys and destinations that counting needs. */
export async function countingOptions(
  settings: Pick<
    Settings,
    'surveys' | 'destinations' | 'keep' | 'clickCostParam' | 'operatorsTimeZone'
  >,
) {
  const { surveys, destinations, keep, clickCostParam, operatorsTimeZone } = settings;
  const table = await loadSurveyTable(surveys);
  return {
    surveys: surveys.map((survey) => ({
      path: survey.path,
      /** The affiliate id of a lead that was posted without an affiliate id. */
      affiliate: trackingFields({}, survey).affid,
      language: survey.language,
      steps: Object.keys(table(survey.path)?.flow.steps ?? {}),
    })),
    /** Destinations that buy no leads. */
    services: destinations
      .map(({ definition }) => definition.name)
      .filter((name) => !isBuyer(name)),
    keep,
    charging: { clickCostParam, timeZone: operatorsTimeZone },
  };
}

/** SQL: locks the counts, and returns the time from which changes are not counted yet. */
const TAKE = `
with clock as (select coalesce($1::timestamptz, clock_timestamp()) as now)
update counting set complete_since = greatest(complete_since, clock.now - $2::integer * interval '1 day')
from clock where id = 1
returning clock.now::text as now, complete_since::text as "completeSince",
  least(coalesce(counted_until, '-infinity'), clock.now - interval '60 seconds')::text as since`;

/** SQL: selects the next changes that are not counted yet. */
const CHANGED = `
select lead_id, at::text as at from (
  ${[
    ['visits', 'seen_at'],
    ['deliveries', 'finished_at'],
    ['lead_events', 'at'],
    ['money_entries', 'created_at', `and kind = 'sale' and lead_id is not null`],
  ]
    .map(([table, at, more = '']) => {
      return `(select lead_id, ${at} as at from ${table} where ${at} > $1::timestamptz ${more}
      order by ${at} fetch first ($2::integer) rows with ties)`;
    })
    .join('\n  union all ')}
) as change order by change.at fetch first ($2::integer) rows with ties`;

/** Columns that keep their values when the visit's clicks and steps have been deleted. */
const ofVisit = [
  ...['language', 'source', 'campaign', 'sub_ids', 'affiliate', 'us_state', 'device', 'variants'],
  ...['has_answered', 'has_completed', 'has_refusals', 'has_page_errors'],
];
const ofLead = [
  ...['survey', 'is_test', 'is_unauthorized', 'received_at', 'lead_state', 'revision', 'qualified'],
  ...['reason', 'holds', 'deliveries', 'is_delivered', 'is_rejected', 'code', 'name_key'],
];

const IS_PURGED = `known.began_at < $4::timestamptz and excluded.lead_state <> 'erased'`;

const SUMMARISE = `
with fresh as materialized (
  select * from summaries_of($1::uuid[], $2::jsonb, $3::text[])
), gone as (
  delete from visit_summaries where lead_id = any($1::uuid[]) and lead_id not in (select lead_id from fresh)
)
insert into visit_summaries as known select * from fresh
on conflict (lead_id) do update set
  ${ofLead.map((column) => `${column} = excluded.${column}`).join(', ')},
  ${ofVisit.map((column) => `${column} = case when ${IS_PURGED} then known.${column} else excluded.${column} end`).join(',\n  ')}
where (known.*) is distinct from (excluded.*)`;

const MARK_HOURS = `
insert into hours_to_count (hour)
select distinct date_trunc('hour', created_at, 'UTC') as hour from visits where lead_id = any($1::uuid[])
order by hour on conflict do nothing`;

/** SQL: selects the hours that have waited longest for a recount. */
const DUE_HOURS = `
select hour::text as hour from hours_to_count
where not exists (
  select 1 from set_aside where job = '${JOB}' and item = hour::text and retry_at > now())
order by at, hour desc limit $1`;

type CountOptions = CountingOptions & {
  readonly limit?: number;
  readonly now?: Date | undefined;
};

/** Processes some of the changed visits, and counts some of the hours. */
export async function countPortion(turn: Turn, options: CountOptions) {
  const { visits, isFull } = await turn.transaction((client) => summarise(client, options));
  // While changes are waiting, counts only one hour, because a change may require a recount.
  const hours = await countDueHours(turn, options, isFull ? 1 : HOURS_AT_ONCE);
  return { visits, hours, isBehind: isFull || hours === HOURS_AT_ONCE };
}

/** Counts at most `most` of the hours that wait for a recount. Returns their number. */
async function countDueHours(turn: Turn, options: CountOptions, most: number): Promise<number> {
  const { rows: due } = await turn.pool.query<{ hour: string }>(DUE_HOURS, [most]);
  for (const { hour } of due) {
    if (turn.signal.aborted) break;
    await turn.doItems([hour], String, (client) => countHour(client, hour, options));
  }
  return due.length;
}

/** Writes the summaries and costs of changed visits, and marks their hours for a recount. */
async function summarise(client: Queryable, options: CountOptions) {
  const { limit = CHANGES_AT_ONCE, now, keep, surveys, services, charging } = options;
  const days = Math.min(keep.visits, keep.clicks, keep.leads);
  type Taken = Record<'now' | 'since' | 'completeSince', string>;
  const { rows: taken } = await client.query<Taken>(TAKE, [now ?? null, days]);
  const { now: takenAt, since, completeSince } = taken[0] as Taken;
  const { rows } = await client.query<{ lead_id: string; at: string }>(CHANGED, [since, limit]);
  const visits = [...new Set(rows.map(({ lead_id }) => lead_id))];
  if (visits.length > 0) {
    const table = surveys.map(({ path, affiliate, language }) => ({ path, affiliate, language }));
    await client.query(SUMMARISE, [visits, JSON.stringify(table), services, completeSince]);
    await client.query(MARK_HOURS, [visits]);
    await chargeVisits(client, visits, charging);
  }
  const isFull = rows.length >= limit;
  const until = isFull ? rows.at(-1)?.at : undefined;
  await client.query(MARK_ATTEMPT_HOURS, [since, until ?? 'infinity']);
  await client.query(MARK_MONEY_HOURS, [since, until ?? 'infinity']);
  await client.query('update counting set counted_until = $1 where id = 1', [until ?? takenAt]);
  return { visits: visits.length, isFull };
}

/** Recounts all hours for which the visits are still stored. */
export async function recount(pool: pg.Pool, options: CountingOptions): Promise<void> {
  const turn = createTurn({ pool, name: JOB, signal: new AbortController().signal });
  await turn.transaction(async (client) => {
    await client.query('update counting set counted_until = null where id = 1');
    await client.query(
      `insert into hours_to_count (hour) select distinct hour from hourly_counts on conflict do nothing`,
    );
  });
  while ((await turn.transaction((client) => summarise(client, options))).isFull);
  // Changes of the last minute mark their hours at each summary, so all hours are counted after it.
  while ((await countDueHours(turn, options, HOURS_AT_ONCE)) === HOURS_AT_ONCE);
}

/** Starts the job that counts visits, in one process at a time. */
export function startCounting(jobs: Jobs, options: CountingOptions): void {
  jobs.start({
    name: JOB,
    everyMs: COUNT_EVERY_MS,
    restFactor: REST,
    run: async (turn) => ((await countPortion(turn, options)).isBehind ? 0 : undefined),
  });
}
