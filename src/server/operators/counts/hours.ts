/** Counts the visits of an hour again: totals by dimension, and the way through each survey's flow. */
import type { Queryable } from '../../storage/database.ts';
import { bucketSql } from './histogram.ts';
import type { CountedSurvey } from './summaries.ts';

/** The dimensions that are also counted within each survey, and for which a flow's steps are. */
export const surveyDimensions = ['all', 'source', 'device', 'language', 'variant'] as const;
export type SurveyDimension = (typeof surveyDimensions)[number];

/** The most values that a dimension keeps in an hour. Visitors can send any source; the rest counts as `other`. */
export const MOST_VALUES = 100;

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
} as const;
export const totalColumns = Object.keys(totals) as (keyof typeof totals)[];
const list = (prefix = '') => totalColumns.map((column) => prefix + column).join(', ');

const COUNT = `
with mine as (${VISITS}
), valued as (
  select mine.*, d.dimension, d.value
  from mine cross join lateral (
    values ('all', ''), ('survey', mine.survey), ('source', source), ('affiliate', affiliate),
      ('state', us_state), ('language', language), ('device', device)
    union all select 'variant', variant from unnest(variants) as variant
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
 * Counts a visit once per key: what it did at a step, however often. An edge is a step that was answered and the step
 * that was shown next, so that a branch not taken is no loss. $2: the steps of each survey's flow.
 */
const COUNT_STEPS = `
with mine as materialized (${VISITS}
), known_steps as (
  select survey.path, step from jsonb_to_recordset($2::jsonb) as survey(path text, steps text[]), unnest(steps) as step
), entries as (
  select mine.hour, entry.lead_id, entry.step, entry.kind, entry.seconds, entry.refused, mine.has_completed,
    lag(entry.kind) over visit as kind_before, lag(entry.step) over visit as step_before,
    entry.seq = max(case when entry.kind = 'viewed' then entry.seq end) over (partition by entry.lead_id) as is_last
  from mine join progress entry on entry.lead_id = mine.lead_id
  join known_steps on known_steps.path = mine.survey and known_steps.step = entry.step
  where entry.kind in ('viewed', 'answered', 'back', 'submitted', 'refused')
  window visit as (partition by entry.lead_id order by entry.seq)
), facts as (
  select lead_id, fact
  from entries cross join lateral unnest(array[
    ${key(`kind = 'viewed'`, `'seen'`, 'step')},
    ${key(`kind = 'viewed' and kind_before = 'answered'`, `'edge'`, 'step_before', 'step')},
    ${key(`is_last and not has_completed`, `'left'`, 'step')},
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
  select lead_id, 'refused|' || step || '|' || field
  from entries cross join lateral unnest(string_to_array(refused, ',')) as field where kind = 'refused'
), kept as (
  select hour, dimension, value from hourly_counts where hour = any($1::timestamptz[]) and survey = ''
), segments as (
  select mine.hour, mine.survey, mine.lead_id, d.dimension, case when kept.value is null then 'other' else d.value end as value
  from mine cross join lateral (
    values ('all', ''), ('source', source), ('device', device), ('language', language)
    union all select 'variant', variant from unnest(variants) as variant
  ) as d(dimension, value)
  left join kept on kept.hour = mine.hour and kept.dimension = d.dimension and kept.value = d.value
), counted as (
  select dimension, survey, hour, value, fact, count(distinct lead_id)::integer as visits
  from segments join facts using (lead_id) group by 1, 2, 3, 4, 5
), fresh as (
  select dimension, survey, hour, value, jsonb_object_agg(fact, visits) as steps
  from counted group by 1, 2, 3, 4
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
