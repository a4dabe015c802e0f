/** Counts the visits of an hour again: totals by dimension, and the way through each survey's flow. */
import type { Queryable } from '../../storage/database.ts';
import { bucketSql } from './histogram.ts';
import type { CountedSurvey } from './summaries.ts';

/** The dimensions that are also counted within each survey, and for which a flow's steps are. */
export const surveyDimensions = ['all', 'source', 'device', 'language', 'variant'] as const;
export type SurveyDimension = (typeof surveyDimensions)[number];

/** The most values that a dimension keeps in an hour. Visitors can send any source; the rest counts as `other`. */
export const MOST_VALUES = 100;

/** The steps of a visit that count. A visitor who sees and answers a whole survey twice has fewer. */
export const MOST_STEPS = 200;

/** The visits of some hours. $1: hours. */
const VISITS = `
  select hours.hour, visit.*
  from unnest($1::timestamptz[]) as hours(hour)
  join visit_summaries visit on visit.began_at >= hours.hour and visit.began_at < hours.hour + interval '1 hour'
  where not visit.is_test and visit.lead_state is distinct from 'erased'`;

const within = `('${surveyDimensions.join("', '")}')`;

/** Each total with its condition, in the order of `totalNames`. */
const totals = {
  visits: 'not is_disputed',
  first_answers: 'has_answered',
  completed: 'has_completed',
  accepted: `lead_state = 'accepted'`,
  held: `lead_state = 'held'`,
  qualified: 'qualified',
  delivered: 'is_delivered',
  rejected: 'is_rejected',
  refusals: 'has_refusals',
  page_errors: 'has_page_errors',
} as const;
export const totalColumns = Object.keys(totals) as (keyof typeof totals)[];
const list = (prefix = '') => totalColumns.map((column) => prefix + column).join(', ');

const COUNT = `
with mine as (${VISITS}
), valued as (
  select mine.*, d.dimension, d.value
  from mine cross join lateral (
    values ('all', ''), ('survey', mine.survey), ('source', source), ('affiliate', affiliate), ('campaign', campaign), ('code', code),
      ('state', us_state), ('language', language), ('device', device)
    union all select 'variant', variant from unnest(variants) as variant
    union all select 'sub', sub_id from unnest(sub_ids) as sub_id
  ) as d(dimension, value)
), kept as (
  select hour, dimension, value from (
    select hour, dimension, value,
      row_number() over (partition by hour, dimension order by count(*) desc, value) as place
    from valued group by hour, dimension, value
  ) as ranked where place <= ${MOST_VALUES}
), fresh as (
  select valued.dimension, scope.survey, valued.hour,
    case when kept.value is null then 'other' else valued.value end as value,
    ${totalColumns.map((name) => `(count(*) filter (where ${totals[name]}))::integer as ${name}`).join(',\n    ')}
  from valued
  left join kept on kept.hour = valued.hour and kept.dimension = valued.dimension and kept.value = valued.value
  cross join lateral (
    select '' as survey union all select valued.survey where valued.dimension in ${within}
  ) as scope
  group by 1, 2, 3, 4
), gone as (
  delete from hourly_counts known where known.hour = any($1::timestamptz[]) and not exists (
    select 1 from fresh where fresh.dimension = known.dimension and fresh.survey = known.survey
      and fresh.hour = known.hour and fresh.value = known.value)
)
insert into hourly_counts as known (dimension, survey, hour, value, ${list()})
select dimension, survey, hour, value, ${list()} from fresh
on conflict (dimension, survey, hour, value) do update set
  ${totalColumns.map((name) => `${name} = excluded.${name}`).join(', ')}
where (${list('known.')}) is distinct from (${list('excluded.')})`;

/** Returns SQL for a key of `steps`, or null. */
const key = (when: string, ...parts: readonly string[]) =>
  `case when ${when} then ${parts.join(` || '|' || `)} end`;

/**
 * What a visit did at a step counts once, however often it did it. An edge is a step that was answered and the step that
 * was shown next, so that a branch not taken is no loss. Each visit is read by itself, through the primary key: the
 * planner would merge the visits of an hour with all steps ever. Visits of the same kind are added up before they are
 * counted for each of their segments. $2: the steps of each survey's flow.
 */
const COUNT_STEPS = `
with survey as (
  select * from jsonb_to_recordset($2::jsonb) as survey(path text, steps text[])
), mine as materialized (
  select visit.*, survey.steps,
    dense_rank() over (order by hour, visit.survey, source, device, language, variants) as kind
  from (${VISITS}) as visit join survey on survey.path = visit.survey
), by_kind as (
  select mine.kind, did.fact, count(*) as visits
  from mine cross join lateral (
    with entries as materialized (
      select step, entry.kind, seconds, refused,
        lag(entry.kind) over visit as kind_before, lag(step) over visit as step_before,
        seq = max(case when entry.kind = 'viewed' then seq end) over () as is_last
      from (
        select * from progress where progress.lead_id = mine.lead_id order by seq limit ${MOST_STEPS}
      ) as entry
      where step = any(mine.steps)
        and entry.kind in ('viewed', 'answered', 'back', 'submitted', 'refused')
      window visit as (order by seq)
    )
    select fact
    from entries cross join lateral unnest(array[
      ${key(`kind = 'viewed'`, `'seen'`, 'step')},
      ${key(`kind = 'viewed' and kind_before = 'answered'`, `'edge'`, 'step_before', 'step')},
      ${key('is_last and not mine.has_completed', `'left'`, 'step')},
      ${key(`kind in ('answered', 'submitted')`, `'answered'`, 'step')},
      ${key(`kind = 'submitted'`, `'edge'`, 'step', `'submit'`)},
      ${key(`kind = 'back'`, `'back'`, 'step')},
      ${key(
        `kind in ('answered', 'submitted') and seconds is not null`,
        `'time'`,
        'step',
        bucketSql('seconds'),
      )}
    ]) as fact
    where fact is not null
    union
    select 'refused|' || step || '|' || field
    from entries cross join lateral unnest(string_to_array(refused, ',')) as field where kind = 'refused'
  ) as did
  group by mine.kind, did.fact
), kept as (
  select hour, dimension, value from hourly_counts where hour = any($1::timestamptz[]) and survey = ''
), named as materialized (
  select distinct of_kind.kind, of_kind.hour, of_kind.survey, d.dimension,
    case when kept.value is null then 'other' else d.value end as value
  from (select distinct kind, hour, survey, source, device, language, variants from mine) as of_kind
  cross join lateral (
    values ('all', ''), ('source', source), ('device', device), ('language', language)
    union all select 'variant', variant from unnest(variants) as variant
  ) as d(dimension, value)
  left join kept on kept.hour = of_kind.hour and kept.dimension = d.dimension and kept.value = d.value
), segments as materialized (
  select *, dense_rank() over (order by hour, survey, dimension, value) as segment from named
), counted as (
  select segment, fact, sum(visits)::integer as visits
  from segments join by_kind on by_kind.kind = segments.kind group by segment, fact
), fresh as (
  select dimension, survey, hour, value, steps
  from (select segment, jsonb_object_agg(fact, visits) as steps from counted group by segment) as summed
  join (select distinct segment, dimension, survey, hour, value from segments) as about using (segment)
), gone as (
  delete from hourly_steps known where known.hour = any($1::timestamptz[]) and not exists (
    select 1 from fresh where fresh.dimension = known.dimension and fresh.survey = known.survey
      and fresh.hour = known.hour and fresh.value = known.value)
)
insert into hourly_steps as known (dimension, survey, hour, value, steps)
select dimension, survey, hour, value, steps from fresh
on conflict (dimension, survey, hour, value) do update set steps = excluded.steps
where known.steps <> excluded.steps`;

/**
 * Counts some hours again, from the summaries and steps of the visits that began in them. Writes only what changed.
 * @returns how many rows it wrote
 */
export async function countHours(
  client: Queryable,
  hours: readonly string[],
  surveys: readonly CountedSurvey[],
): Promise<number> {
  const counts = await client.query(COUNT, [hours]);
  const steps = surveys.map(({ path, steps }) => ({ path, steps }));
  const ways = await client.query(COUNT_STEPS, [hours, JSON.stringify(steps)]);
  return (counts.rowCount ?? 0) + (ways.rowCount ?? 0);
}
