/** Fills a migrated, empty database with a month of visits by SQL: as large as a year of a large site. */
import type pg from 'pg';
import type { CountedSurvey } from '../src/server/operators/counts/hours.ts';
import { inTransaction } from '../src/server/storage/database.ts';

export type HistorySize = {
  /** Visits; every second one has a lead. */
  readonly visits: number;
  /** The visits begin within this many days before now. */
  readonly days: number;
};

/** One million leads and twenty million steps. */
export const largeHistory: HistorySize = { visits: 2_000_000, days: 30 };

const PORTION = 50_000;
/** Steps that a visit with and without a lead sees; each has two entries, shown and answered. */
const STEPS_TO_LEAD = 7;
const MOST_STEPS_BEFORE = 6;

/** SQL: a number below `below` that looks random, from the visit's number `i`. */
const pick = (below: number, salt: string) =>
  `(('x' || substr(md5(i || '${salt}'), 1, 7))::bit(28)::integer % ${below})`;
const one = (values: readonly string[], salt: string) =>
  `(array[${values.map((value) => `'${value}'`).join(', ')}])[1 + ${pick(values.length, salt)}]`;

const AT = `now() - interval '1 minute' - (1 - i::float8 / $3) * $4 * interval '1 day'`;
/** A version 7 UUID of the visit's time, as browsers make them. */
const ID = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 3)
  || '8' || substr(md5(i::text), 4, 15))::uuid`;

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140 Safari/537.36',
  'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)',
];

// $1 first visit, $2 last visit, $3 all visits, $4 days, $5 surveys
const VISITS = `
create temporary table portion on commit drop as
select i, ${ID} as id, at, i % 2 = 0 as has_lead, survey.path, survey.steps, survey.language,
  case when i % 2 = 0 then ${STEPS_TO_LEAD} else 1 + ${pick(MOST_STEPS_BEFORE, 'steps')} end as shown,
  ${one(['', 'google', 'facebook', 'tiktok', 'mail', 'partner'], 'source')} as source,
  ${one(['buttons.plain', 'buttons.rounded', '', ''], 'variant')} as variant,
  ${one(AGENTS, 'agent')} as agent
from generate_series($1::integer, $2::integer) as i
cross join lateral (select ${AT} as at) as time
join (select row_number() over () - 1 as place, count(*) over () as surveys, s.*
  from jsonb_to_recordset($5::jsonb) as s(path text, language text, steps text[])) as survey
  on survey.place = ${pick(1_000, 'survey')} % survey.surveys`;

const PERSON = `'person.' || i || '@example.com'`;
const FIELDS = `json_build_object('first_name', ${one(['Ana', 'Ben', 'Cleo', 'Dan', 'Eve'], 'first')},
  'last_name', ${one(['Diaz', 'Miller', 'Nguyen', 'Okafor', 'Smith'], 'last')} || i % 5000, 'email', ${PERSON},
  'phone', '212555' || lpad((i % 10000)::text, 4, '0'), 'affid', (10 + i % 7)::text, 'sub_id', source,
  'state', ${one(['TX', 'CA', 'FL', 'NY', 'GA', 'IL', 'OH', 'PA', 'AZ', 'NV'], 'state')},
  'case_description', repeat('A truck hit my car from behind at a red light. ', 5), 'tcpa', repeat('I agree. ', 40))`;
const HELD = `i % 97 = 0`;
const HELD_PROBLEM = `'[{"problem":"held","reason":"missing_consent"}]'`;

/** The rows of a portion, by table. `i`, `id`, `at` and so on are those of the visit. */
const ROWS = [
  `insert into visits (lead_id, survey, created_at, seen_at)
   select id, path, at, at + shown * interval '12 seconds' from portion`,
  `insert into clicks (id, lead_id, survey, landing_page, params, referer, ip, user_agent, created_at)
   select replace(id::text, '-', ''), id, path, 'https://example.com' || path,
     jsonb_build_object('utm_source', source, 's1', source), '', '203.0.113.7', agent, at from portion`,
  `insert into progress (lead_id, seq, survey, step, kind, answers, seconds, at, received_at, variants, refused)
   select id, 2 * place - 1 + (kind <> 'viewed')::integer, path, step, kind,
     case when kind = 'viewed' then '{}' else jsonb_build_object('at_Fault', 'no') end,
     case when kind <> 'viewed' then 1 + ${pick(40, 'seconds')} + place end, at, at + place * interval '12 seconds', variant, null
   from portion
   cross join lateral unnest(steps) with ordinality as step(step, place)
   cross join lateral unnest(array['viewed', case when place < shown then 'answered'
     when has_lead then 'submitted' end]) as kind
   where place <= shown and kind is not null`,
  `insert into leads (id, survey, flow, language, state, is_test, qualified, dq_reason, lead_is_qualified,
     do_not_send_to_dq, click_id, ip, user_agent, variants, created_at, updated_at)
   select id, path, 'v4', language, case when ${HELD} then 'held' else 'accepted' end, i % 200 = 0,
     i % 5 <> 0, case when i % 5 = 0 then 'with_Lawyer|yes' else '' end, i % 5 <> 0, 'no',
     replace(id::text, '-', ''), '203.0.113.7', agent, variant,
     at + interval '3 minutes', at + interval '3 minutes' from portion where has_lead`,
  `insert into lead_revisions (lead_id, revision, received_at, body, body_sha256, change, fields, problems,
     email_key, phone_key)
   select id, 1, at, '{}', md5(i::text), '{"answer":{"qualified":"yes","dq_reason":""},"fields":[]}', ${FIELDS},
     case when ${HELD} then ${HELD_PROBLEM} else '[]' end::json, md5(${PERSON}), md5('phone' || i)
   from portion where has_lead`,
  `insert into deliveries (id, lead_id, destination, state, attempts, revision, may_have_arrived, last_message,
     created_at, finished_at)
   select md5('delivery' || i)::uuid, id, 'ingest', state, 1, 1, state = 'delivered',
     case when state = 'rejected' then 'Duplicate lead' end, at + interval '3 minutes',
     case when state <> 'held' then at + interval '4 minutes' end
   from portion cross join lateral (select case when ${HELD} then 'held'
     else ${one(['delivered', 'delivered', 'delivered', 'delivered', 'rejected', 'dead'], 'end')} end as state) as ends
   where has_lead`,
  `insert into delivery_attempts (delivery_id, attempt, started_at, ended_at, outcome, http_status, response, duration_ms, revision)
   select md5('delivery' || i)::uuid, 1, at + interval '4 minutes', at + interval '4 minutes', 'delivered', 200,
     '{"status":"ACCEPTED"}', 80 + ${pick(400, 'duration')}, 1
   from portion where has_lead and not (${HELD})`,
];

/**
 * Fills the database in portions, each in a transaction.
 *
 * @param pool without a statement time-out
 * @param surveys the surveys of the visits; those with too short a flow are left out
 */
export async function fillHistory(
  pool: pg.Pool,
  surveys: readonly CountedSurvey[],
  { visits, days }: HistorySize,
): Promise<void> {
  const long = surveys.filter(({ steps }) => steps.length >= STEPS_TO_LEAD).slice(0, 8);
  const table = JSON.stringify(
    long.map(({ path, language, steps }) => ({ path, language, steps })),
  );
  for (let first = 0; first < visits; first += PORTION) {
    await inTransaction(pool, async (client) => {
      await client.query('set local synchronous_commit = off');
      const last = Math.min(first + PORTION, visits) - 1;
      await client.query(VISITS, [first, last, visits, days, table]);
      for (const rows of ROWS) await client.query(rows);
    });
  }
  await pool.query('vacuum analyze');
}
