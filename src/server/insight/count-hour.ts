/** Recounts the visits, steps and delivery attempts of one hour. */
import {
  surveyDimensions as dimensionsWithin,
  type TotalName,
  totalNames,
} from '../../model/messages/console/numbers.ts';
import type { Queryable } from '../platform/database/database.ts';

/** The dimensions by which the visits of each survey are counted. */
export const surveyDimensions = ['all', ...dimensionsWithin] as const;
export type SurveyDimension = (typeof surveyDimensions)[number];

/** Maximum number of values per dimension. Further values are counted as `other`. */
const MOST_VALUES = 100;

const VISITS = `
  select * from visit_summaries
  where began_at >= $1::timestamptz and began_at < $1::timestamptz + interval '1 hour'
    and not is_test and lead_state is distinct from 'erased'`;

/**
 * Maps the name of each total to an SQL condition, which selects the visits to count. A lead is
 * delivered if a destination, or the buyer of the value, took it.
 */
const conditions: Readonly<Record<TotalName, string>> = {
  visits: 'not is_unauthorized',
  firstAnswers: 'has_answered',
  completed: 'has_completed',
  accepted: `lead_state = 'accepted'`,
  held: `lead_state = 'held'`,
  qualified: 'qualified',
  delivered: 'took',
  rejected: 'refused',
  refusals: 'has_refusals',
  pageErrors: 'has_page_errors',
};

/** Returns the column of a total in `hourly_counts`. */
export function columnOf(name: TotalName): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** SQL: a summary without values. A cost without a visit adds what its import named. */
const NO_VISIT = `'{"survey":"","source":"","campaign":"","affiliate":"","us_state":"","language":"","device":"",
    "code":"","sub_ids":[],"variants":[],"deliveries":[]}'::jsonb`;

/**
 * SQL: counts the visits of an hour ($1) and their money. $2: destinations that buy no leads.
 * Each entry belongs to one buyer: its own, else one that bought the lead, else none ('').
 */
const COUNT = `
with visit as materialized (
  select * from visit_summaries
  where began_at >= $1::timestamptz and began_at < $1::timestamptz + interval '1 hour' and not is_test
), entry as materialized (
  select m.lead_id, kind, amount, destination, null::jsonb as about
  from visit join money_entries m on m.lead_id = visit.lead_id
  union all
  select id, kind, amount, destination, about from money_entries
  where lead_id is null and at >= $1::timestamptz and at < $1::timestamptz + interval '1 hour'
), money as materialized (
  select lead_id, buyer,
    coalesce(-sum(amount) filter (where destination is null), 0) as cost,
    coalesce(sum(amount) filter (where destination is not null), 0) as revenue,
    coalesce(-sum(amount) filter (where kind = 'return'), 0) as returned
  from (
    select *, coalesce(destination,
      min(destination) filter (where kind = 'sale') over (partition by lead_id), '') as buyer from entry
  ) as attributed group by 1, 2
), counted as (
  select visit.*, lead_state is distinct from 'erased' as is_visit from visit
  where lead_state is distinct from 'erased' or lead_id in (select lead_id from money)
  union all
  select no_visit.*, false from entry
  cross join lateral jsonb_populate_record(null::visit_summaries, ${NO_VISIT} || about || jsonb_build_object(
    'lead_id', lead_id,
    'sub_ids', case when about ? 'sub' then jsonb_build_array(about->'sub') else '[]' end)) as no_visit
  where about is not null
), buyer as (
  select lead_id, name, bool_or(took) as took, bool_or(refused) as refused, sum(cost) as cost, sum(revenue) as revenue,
    sum(returned) as returned
  from (
    select lead_id, name, state = 'delivered' as took, state = 'rejected' as refused, 0 as cost, 0 as revenue, 0 as returned
    from counted cross join lateral unnest(deliveries) as delivery
    cross join lateral (select split_part(delivery, ':', 1) as name, split_part(delivery, ':', 2) as state) as of
    where state in ('delivered', 'rejected') and name <> all($2::text[])
    union all select lead_id, buyer, false, false, cost, revenue, returned from money
  ) as answer group by 1, 2
), valued as (
  select dimension, value, is_visit as is_counted, counted.*, is_delivered as took, is_rejected as refused, cost, revenue, returned
  from counted left join (
    select lead_id, sum(cost) as cost, sum(revenue) as revenue, sum(returned) as returned from money group by 1
  ) as own using (lead_id)
  cross join lateral (
    values ('all', ''), ('survey', survey), ('source', source), ('affiliate', affiliate),
      ('campaign', campaign), ('code', code), ('state', us_state), ('language', language), ('device', device)
    union all select 'variant', variant from unnest(variants) as variant
    union all select 'sub', sub_id from unnest(sub_ids) as sub_id
  ) as d(dimension, value)
  union all
  select 'buyer', coalesce(buyer.name, ''),
    is_visit and (coalesce(took or refused, false) or not (is_delivered or is_rejected)),
    counted.*, took, refused, cost, revenue, returned
  from counted left join buyer using (lead_id)
), stored as (
  select dimension, value from (
    select dimension, value, row_number() over (partition by dimension order by count(*) desc, value) as place
    from valued group by dimension, value
  ) as ranked where place <= ${MOST_VALUES}
)
insert into hourly_counts (dimension, survey, hour, value, ${totalNames.map(columnOf).join(', ')},
  cost, revenue, returned)
select valued.dimension, scope.survey, $1::timestamptz, coalesce(stored.value, 'other'),
  ${totalNames.map((name) => `count(*) filter (where is_counted and ${conditions[name]})`).join(',\n  ')},
  coalesce(sum(cost), 0), coalesce(sum(revenue), 0), coalesce(sum(returned), 0)
from valued
left join stored on stored.dimension = valued.dimension and stored.value = valued.value
cross join lateral (
  select '' as survey
  union select valued.survey where valued.dimension in ('${surveyDimensions.join("', '")}')
) as scope
group by 1, 2, 4`;

/** SQL: counts the events at each step, for the visits of one hour. */
const COUNT_STEPS = `
with stored as (
  select dimension, value from hourly_counts where hour = $1::timestamptz and survey = ''
)
insert into hourly_steps (dimension, survey, hour, value, steps)
select dimension, survey, $1::timestamptz, value, jsonb_object_agg(fact, visits) from (
  select d.dimension, visit.survey, coalesce(stored.value, 'other') as value, fact, count(*) as visits
  from (${VISITS}) as visit
  join jsonb_to_recordset($2::jsonb) as known(path text, steps text[]) on known.path = visit.survey
  cross join lateral step_facts(visit.lead_id, known.steps, visit.has_completed) as fact
  cross join lateral (
    values ('all', ''), ('source', source), ('device', device), ('language', language)
    union all select 'variant', variant from unnest(variants) as variant
  ) as d(dimension, value)
  left join stored on stored.dimension = d.dimension and stored.value = d.value
  group by 1, 2, 3, 4
) as counted group by 1, 2, 4`;

/** Number of buckets of the histogram between any duration and twice this duration. */
export const BUCKETS_PER_DOUBLING = 4;
/** Maximum time of a delivery attempt, including the storing of its result. */
const LONGEST_ATTEMPT = '5 minutes';

/** SQL: marks the hours in which attempts ended, so that these hours are recounted. */
export const MARK_ATTEMPT_HOURS = `
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
select distinct date_trunc('hour', started_at, 'UTC') as hour from changed
where ended_at >= $1::timestamptz and ended_at <= $2::timestamptz order by hour
on conflict do nothing`;

/** SQL: marks the hours to which new money entries belong, so that these hours are recounted. */
export const MARK_MONEY_HOURS = `
insert into hours_to_count (hour)
select distinct date_trunc('hour', coalesce(v.created_at, m.at), 'UTC') as hour
from money_entries m left join visits v on v.lead_id = m.lead_id
where m.created_at >= $1::timestamptz and m.created_at <= $2::timestamptz
  and (m.lead_id is null or v.lead_id is not null)
order by hour on conflict do nothing`;

const COUNT_ATTEMPTS = `
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

/** SQL: removes the mark of an hour, and returns whether all its visits are still stored. */
const TAKE_HOUR = `
delete from hours_to_count where hour = $1
returning hour >= (select complete_since from counting where id = 1) as "isComplete"`;

type CountedBy = {
  readonly surveys: readonly { readonly path: string; readonly steps: readonly string[] }[];
  /** Destinations that buy no leads. */
  readonly services: readonly string[];
};

/** Recounts the visits, their money and steps, and the delivery attempts of one hour. */
export async function countHour(
  client: Queryable,
  hour: string,
  { surveys, services }: CountedBy,
): Promise<void> {
  // Removes the mark before the count, so that a change during the count marks the hour again.
  const { rows } = await client.query<{ isComplete: boolean }>(TAKE_HOUR, [hour]);
  await client.query('delete from hourly_attempts where hour = $1', [hour]);
  await client.query(COUNT_ATTEMPTS, [hour]);
  if (!rows[0]?.isComplete) return;
  for (const table of ['hourly_counts', 'hourly_steps']) {
    await client.query(`delete from ${table} where hour = $1`, [hour]);
  }
  await client.query(COUNT, [hour, services]);
  await client.query(COUNT_STEPS, [hour, JSON.stringify(surveys)]);
}
