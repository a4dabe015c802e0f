/** Keeps `visit_summaries`: one narrow row per visit, with its lead and its deliveries. */
import { DEFAULT_SUB_ID } from '../../../domain/tracking.ts';
import type { Queryable } from '../../storage/database.ts';
import { MOST_STEPS } from './hours.ts';

/** A survey as the counting needs it. */
export type CountedSurvey = {
  readonly path: string;
  /** The affiliate id of its leads that name none. */
  readonly affiliate: string;
  readonly language: string;
  readonly steps: readonly string[];
};

/** The variants of a visit that count. */
const MOST_VARIANTS = 10;

/** The survey of visits whose survey is not in the table: any text may have been sent. */
export const UNKNOWN_SURVEY = 'unknown';

/**
 * Returns SQL for the value of a click parameter, or null. Keeps only short plain words: a placeholder, an address or
 * seven digits, which may be a phone number, are nothing to count by.
 */
const word = (value: string) => `case
  when lower(btrim(${value})) ~ '^[a-z0-9]([a-z0-9 ._+-]{0,38}[a-z0-9])?$'
    and btrim(${value}) !~ '[0-9]([ ._+-]*[0-9]){6}'
    and lower(btrim(${value})) not in ('undefined', 'null', 'nan')
  then lower(btrim(${value})) end`;

const isClickId = (value: string) => `${value} ~ '^[A-Za-z0-9_-]{6,}$'`;

const SOURCE = `coalesce(${word(`click.params->>'utm_source'`)}, ${word('fields.utm_source')}, case
    when ${isClickId(`click.params->>'gclid'`)} then 'google'
    when ${isClickId(`click.params->>'fbclid'`)} then 'facebook' end,
  nullif(${word(`click.params->>'s1'`)}, '${DEFAULT_SUB_ID}'),
  nullif(${word(`click.params->>'sub1'`)}, '${DEFAULT_SUB_ID}'), '')`;

const subId = (name: string, value: string) => `'${name}=' || ${word(value)}`;
const SUB_IDS = `array_remove(array[
  nullif(${subId('sub1', `coalesce(click.params->>'s1', click.params->>'sub1')`)}, 'sub1=${DEFAULT_SUB_ID}'),
  ${['sub2', 'sub3', 'sub4'].map((name) => subId(name, `click.params->>'${name}'`)).join(', ')}], null)`;

const affiliate = (value: string) => `case when ${value} ~ '^[0-9]{1,6}$' then ${value} end`;
/** That of the visitor: special routing sends another. */
const AFFILIATE = `coalesce(${affiliate('fields.original_affid')}, ${affiliate('fields.affid')},
  ${affiliate(`click.params->>'affid'`)}, survey.affiliate, '')`;

const state = (value: string) => `case when ${value} ~ '^[A-Z]{2}$' then ${value} end`;
const US_STATE = `coalesce(${state('fields.state')}, ${state('fields.state_accident_occurred')},
  ${state('steps.us_state')}, '')`;

const AGENT = `coalesce(nullif(click.user_agent, ''), lead.user_agent, fields.user_agent, '')`;
const DEVICE = `case when ${AGENT} = '' then ''
  when ${AGENT} ~* 'ipad|tablet|kindle|silk' or (${AGENT} ~* 'android' and ${AGENT} !~* 'mobile') then 'tablet'
  when ${AGENT} ~* 'mobi|iphone|ipod|android' then 'phone' else 'desktop' end`;

/** What is known of the visit itself. It stays as it was counted once the click or the steps may be purged. */
const ofVisit = {
  language: `case when lead.language ~ '^[a-z]{2}$' then lead.language else coalesce(survey.language, '') end`,
  source: SOURCE,
  campaign: `coalesce(${word(`click.params->>'utm_campaign'`)}, ${word('fields.utm_campaign')}, '')`,
  sub_ids: SUB_IDS,
  affiliate: AFFILIATE,
  us_state: US_STATE,
  device: DEVICE,
  variants: `(string_to_array(coalesce(nullif(lead.variants, ''), steps.variants, ''), '~'))[1:${MOST_VARIANTS}]`,
  has_answered:
    'coalesce(steps.has_answered, false) or (lead.id is not null and lead.claims_id is null)',
  has_completed:
    'coalesce(steps.has_completed, false) or (lead.id is not null and lead.claims_id is null)',
  has_refusals: 'coalesce(steps.has_refusals, false)',
  has_page_errors: 'coalesce(steps.has_page_errors, false)',
} as const;

const ofLead = {
  // Without a flow, the survey of a lead is a text from the visitor.
  survey: `case when lead.flow <> '' then lead.survey else coalesce(survey.path, '${UNKNOWN_SURVEY}') end`,
  is_test: `coalesce(lead.is_test, lower(btrim(click.params->>'lp_action')) = 'test', false)`,
  is_disputed: 'lead.claims_id is not null',
  received_at: 'lead.created_at',
  lead_state: 'lead.state',
  revision: 'lead.revision',
  qualified: 'lead.qualified',
  reason: `coalesce(lead.dq_reason, '')`,
  holds: `coalesce(held.reasons, '{}')`,
  deliveries: `coalesce(sent.deliveries, '{}')`,
  is_delivered: 'coalesce(sent.is_delivered, false)',
  is_rejected: 'coalesce(sent.is_rejected and not sent.is_delivered, false)',
  code: `coalesce(sent.code, '')`,
  name_key: `nullif(left(lower(btrim(concat_ws(' ', btrim(fields.last_name), btrim(fields.first_name)))), 100), '')`,
} as const;

const columns = [...Object.keys(ofVisit), ...Object.keys(ofLead)];
const list = (prefix: string) => columns.map((column) => `${prefix}${column}`).join(', ');

/**
 * Writes the summaries of visits. $1: visits. $2: surveys. $3: destinations that buy no leads. $4: since when clicks and
 * steps are complete.
 */
const SUMMARISE = `
with survey as (
  select * from jsonb_to_recordset($2::jsonb) as s(path text, affiliate text, language text)
), steps as (
  select lead_id, bool_or(kind = 'answered' and answers <> '{}') as has_answered,
    bool_or(kind = 'submitted') as has_completed, bool_or(kind = 'refused') as has_refusals,
    bool_or(kind = 'failed') as has_page_errors,
    (array_agg(variants order by seq) filter (where variants <> ''))[1] as variants,
    (array_agg(coalesce(answers->>'state', answers->>'state_accident_occurred') order by seq desc)
      filter (where answers ? 'state' or answers ? 'state_accident_occurred'))[1] as us_state
  from unnest($1::uuid[]) as visit(id) cross join lateral (
    select * from progress where progress.lead_id = visit.id order by seq limit ${MOST_STEPS}
  ) as step group by lead_id
), fresh as (
  select visit.lead_id, visit.created_at as began_at,
    ${Object.entries({ ...ofVisit, ...ofLead })
      .map(([name, value]) => `${value} as ${name}`)
      .join(',\n    ')}
  from visits visit
  left join steps on steps.lead_id = visit.lead_id
  left join leads lead on lead.id = visit.lead_id
  left join survey on survey.path = visit.survey
  left join lead_revisions newest on newest.lead_id = lead.id and newest.revision = lead.revision
  left join lateral (
    select params, user_agent from clicks
    where clicks.lead_id = visit.lead_id order by created_at, id limit 1
  ) as click on true
  left join lateral json_to_record(newest.fields) as fields(affid text, original_affid text, state text,
    state_accident_occurred text, utm_source text, utm_campaign text, first_name text, last_name text,
    user_agent text) on true
  left join lateral (
    select array_agg(distinct problem->>'reason') as reasons from json_array_elements(newest.problems) as problem
    where lead.state = 'held' and problem->>'problem' = 'held'
  ) as held on true
  left join lateral (
    select array_agg(destination || ':' || state order by destination) as deliveries,
      bool_or(state = 'delivered' and destination <> all($3::text[])) as is_delivered,
      bool_or(state = 'rejected' and destination <> all($3::text[])) as is_rejected,
      max(answer_code) filter (where state = 'rejected' and destination <> all($3::text[])) as code
    from deliveries where deliveries.lead_id = lead.id and event_key = ''
  ) as sent on true
  where visit.lead_id = any($1::uuid[]) and (steps.lead_id is not null or lead.id is not null)
), gone as (
  delete from visit_summaries where lead_id = any($1::uuid[]) and lead_id not in (select lead_id from fresh)
)
insert into visit_summaries as known (lead_id, began_at, ${list('')})
select lead_id, began_at, ${list('')} from fresh
on conflict (lead_id) do update set
  ${Object.keys(ofLead)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')},
  ${Object.keys(ofVisit)
    .map(
      (
        column,
      ) => `${column} = case when known.began_at < $4::timestamptz and excluded.lead_state <> 'erased'
    then known.${column} else excluded.${column} end`,
    )
    .join(',\n  ')}
where (${list('known.')}) is distinct from (${list('excluded.')})`;

/**
 * Writes the summaries of some visits as they are now, and removes those of visits that are gone.
 * @returns how many it wrote
 */
export async function summariseVisits(
  client: Queryable,
  leadIds: readonly string[],
  options: {
    readonly surveys: readonly CountedSurvey[];
    /** Destinations that buy no leads. */
    readonly services: readonly string[];
    /** Clicks and steps of older visits may have been purged. */
    readonly completeSince: string;
  },
): Promise<number> {
  const { surveys, services, completeSince } = options;
  const rows = surveys.map(({ path, affiliate, language }) => ({ path, affiliate, language }));
  const values = [leadIds, JSON.stringify(rows), services, completeSince];
  return (await client.query(SUMMARISE, values)).rowCount ?? 0;
}
