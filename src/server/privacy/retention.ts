/** Purges data after its retention period (docs/decisions/0017-retention-and-erasure.md). */

import type { Queryable } from '../platform/database/database.ts';
import type { Jobs, Turn } from '../platform/database/jobs.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import type { KeepDays } from '../settings/settings.ts';
import { EMPTY_CONSENT, emptyLeads } from './empty-leads.ts';
import { MOST_ITEMS_OF_PERSONS } from './forget-reasons.ts';
import { expireOptOutRequests } from './opt-out.ts';

const BATCH = 500;
const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;

/** The counts of a purge that has removed no rows. */
const NOTHING = { visits: 0, leads: 0, consents: 0, clicks: 0, steps: 0, attempts: 0, requests: 0 };
type Counts = Partial<typeof NOTHING>;

type Place = { at: string; id: string };
const START: Place = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

const LEADS_BY_TIME = 'select created_at as at, id, id as lead_id from leads';
const VISITS_BY_TIME = 'select seen_at as at, lead_id as id, lead_id from visits';
/** The kinds of data to purge, each with its retention period and the SQL that selects its rows. */
const SOURCES: readonly (readonly [name: string, period: keyof KeepDays, rows: string])[] = [
  ['visits', 'visits', VISITS_BY_TIME],
  ['clicks', 'clicks', VISITS_BY_TIME],
  ['leads', 'leads', LEADS_BY_TIME],
  // An old lead can have a new consent, so each consent is purged by the consent's own age.
  ['consents', 'consents', 'select created_at as at, lead_id as id, lead_id from consents'],
  [
    'attempts',
    'attempts',
    `select started_at as at, delivery_id as id, lead_id
     from delivery_attempts join deliveries on deliveries.id = delivery_id`,
  ],
  [
    'finished deliveries',
    'attempts',
    'select finished_at as at, id, lead_id from deliveries where finished_at is not null',
  ],
  ['deliveries', 'attempts', LEADS_BY_TIME],
];

// Orders by `source.at`, because the index is on this column and not on the output column `at`.
const batchOf = (rows: string) => `
select at::text, id, lead_id from (${rows}) as source
where at < $3 and (at, id) > ($1::timestamptz, $2::uuid)
order by source.at, source.id limit ${BATCH}`;

// Does not delete the rows of erased visits, so that no new visit gets the same id.
const VISITS = `
with old as (
  select lead_id from visits v where lead_id = any($1::uuid[]) and seen_at < $2
    and erased_at is null and not exists (select 1 from leads l where l.id = v.lead_id)
  order by lead_id for update
), gone as (delete from visits where lead_id in (select lead_id from old)
), summaries_gone as (delete from visit_summaries where lead_id in (select lead_id from old)
), clicks_gone as (delete from clicks where lead_id in (select lead_id from old)
), progress_gone as (delete from progress where lead_id in (select lead_id from old)
), checks_gone as (delete from lead_checks where lead_id in (select lead_id from old)
), codes_gone as (delete from phone_codes where lead_id in (select lead_id from old)
)
select 1 from old`;

const POSTPONE = `
insert into purge_later (lead_id) select unnest($1::uuid[]) on conflict do nothing`;

/** If a destination is off for this long, the leads that wait for the destination are purged. */
const OFF_DAYS = 30;
/** SQL: selects the leads that could still be sent to a destination. */
const SENDABLE_LEADS = `
select distinct lead_id from deliveries d
where lead_id = any($1::uuid[]) and state in ('waiting', 'sending', 'retrying')
  and (state = 'sending' or not exists (select 1 from destination_health h
    where h.destination = d.destination and h.off_at < $2))`;

const deleteOld = (table: string) => `
delete from ${table} using visits
where ${table}.lead_id = visits.lead_id and visits.lead_id = any($1::uuid[]) and seen_at < $2`;

/** Statements that purge the old rows of leads, each with its counter and retention period. */
const EMPTY: readonly (readonly [keyof Counts, keyof KeepDays, string])[] = [
  [
    'consents',
    'consents',
    `with ended as (
       select id from leads where id = any($1::uuid[]) and erased_at is not null
         and not exists (select 1 from consents c where c.lead_id = leads.id and c.created_at >= $2)
     ), keys as (
       update lead_revisions set email_key = null, phone_key = null
       where lead_id = any(array(select id from ended)) and (email_key is not null or phone_key is not null)
     )
     update consents set ${EMPTY_CONSENT}
     where lead_id = any($1::uuid[]) and created_at < $2 and (text is distinct from '' or person is not null)`,
  ],
  ['clicks', 'clicks', deleteOld('clicks')],
  ['steps', 'clicks', deleteOld('progress')],
  [
    'attempts',
    'attempts',
    `with attempts as (
       update delivery_attempts a set response = null, error = null from deliveries d
       where d.id = delivery_id and lead_id = any($1::uuid[]) and started_at < $2
         and (response is not null or error is not null)
       returning 1
     ), messages as (
       update deliveries set last_message = null
       where lead_id = any($1::uuid[]) and last_message is not null
         and coalesce(finished_at, created_at) < $2
     ) select 1 from attempts`,
  ],
];

const deleteBefore = (table: string, at: string) => `
delete from ${table} where ctid = any(array(
  select ctid from ${table} where ${at} < $1 limit 20000 for update skip locked))`;

/** SQL that deletes rows, each with the age of the rows: a number of days, or the name of a setting. */
const WHOLE_ROWS: readonly (readonly [days: number | keyof KeepDays, statement: string])[] = [
  [1, deleteBefore('address_persons', 'seen_at')],
  [1, deleteBefore('phone_code_limits', 'last_at')],
  [1, deleteBefore('paid_checks', 'hour')],
  [1, deleteBefore('blocked_emails', 'at')],
  [1, deleteBefore('request_counts', 'since')],
  [400, deleteBefore('page_speeds', 'day')],
  ['leads', deleteBefore('outcomes', 'received_at')],
  ['leads', deleteBefore('statements', 'created_at')],
  // Deletes saved forms after a day, because visitors cannot continue with a form that old.
  [
    1,
    `update visits set form = null, form_keys = null
     where form is not null and seen_at < $1 and lead_id = any(array(
       select lead_id from visits where form is not null and seen_at < $1 order by seen_at limit 1000))`,
  ],
  // Without this small limit, PostgreSQL would not use the index.
  [
    0,
    `delete from check_answers where (service, asked_sha256) in (
       select service, asked_sha256 from check_answers where expires_at < $1 order by expires_at limit 100)`,
  ],
  // Keeps a small plan until its leads are purged, because an erasure must find the plan's reason.
  [
    'attempts',
    `delete from plans where id = (
       select id from plans where created_at < $1 and state <> 'running'
       and ((select count(*) from plan_items i where i.plan_id = plans.id) > ${MOST_ITEMS_OF_PERSONS} or (
         select true from plan_items i join leads l on l.id = i.lead_id
         where i.plan_id = plans.id and l.erased_at is null limit 1) is null)
     order by created_at limit 1 for update of plans)`,
  ],
];

/** Purges data after its retention period, in batches of 500 leads. */
export async function purge(turn: Turn, keep: KeepDays, now: Date) {
  const { pool, signal } = turn;
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const before = (what: keyof KeepDays) => ago(keep[what]);
  const purged = { ...NOTHING };
  const add = (counts: Counts) => {
    for (const what of Object.keys(counts) as (keyof Counts)[]) purged[what] += counts[what] ?? 0;
  };
  /** Runs `work` in one transaction after the other, until `work` changes nothing. */
  const repeat = async (work: (client: Queryable) => Promise<number>) => {
    while (!signal.aborted && (await turn.transaction(work)) > 0);
  };
  const idOf = (leadId: string) => leadId;
  const purgeSome = (client: Queryable, some: readonly string[]) =>
    purgeLeads(client, some, before, ago(OFF_DAYS));
  const purgeVisits = async (client: Queryable, some: readonly string[]): Promise<Counts> => {
    const { rowCount } = await client.query(VISITS, [some, before('visits')]);
    return { visits: rowCount ?? 0 };
  };

  await repeat(async (client) => {
    const requests = await expireOptOutRequests(client, before('requests'), BATCH);
    add({ requests });
    return requests;
  });
  for (const [days, statement] of WHOLE_ROWS) {
    const until = typeof days === 'number' ? ago(days) : before(days);
    await repeat(async (client) => (await client.query(statement, [until])).rowCount ?? 0);
  }

  for (let after = START.id; !signal.aborted; ) {
    const { rows } = await pool.query<{ lead_id: string }>(
      `select lead_id from purge_later where lead_id > $1 order by lead_id limit ${BATCH}`,
      [after],
    );
    const leadIds = rows.map(({ lead_id }) => lead_id);
    const { results } = await turn.doItems(leadIds, idOf, async (client, some) => {
      await client.query('delete from purge_later where lead_id = any($1)', [some]);
      return { ...(await purgeVisits(client, some)), ...(await purgeSome(client, some)) };
    });
    results.forEach(add);
    const last = leadIds.at(-1);
    if (last === undefined) break;
    after = last;
  }

  for (const [name, period, source] of SOURCES) {
    const place = 'select at::text, id from purge_places where source = $1';
    let [from = START] = (await pool.query<Place>(place, [name])).rows;
    const until = before(period);
    const statement = batchOf(source);
    while (!signal.aborted) {
      const after = [from.at, from.id, until];
      const { rows } = await pool.query<Place & { lead_id: string }>(statement, after);
      const last = rows.at(-1);
      if (last === undefined) break;
      const leadIds = [...new Set(rows.map(({ lead_id }) => lead_id))];
      const work = name === 'visits' ? purgeVisits : purgeSome;
      const { results, poisoned } = await turn.doItems(leadIds, idOf, work);
      results.forEach(add);
      await turn.transaction(async (client) => {
        if (poisoned.length > 0) await client.query(POSTPONE, [poisoned]);
        await client.query(
          `insert into purge_places (source, at, id) values ($1, $2, $3)
           on conflict (source) do update set at = excluded.at, id = excluded.id`,
          [name, last.at, last.id],
        );
      });
      from = last;
    }
  }
  return purged;
}

async function purgeLeads(
  client: Queryable,
  leadIds: readonly string[],
  before: (what: keyof KeepDays) => Date,
  offBefore: Date,
): Promise<Counts> {
  await client.query(
    'select 1 from visits where lead_id = any($1::uuid[]) order by lead_id for no key update',
    [leadIds],
  );
  const { rows } = await client.query<{ id: string; is_due: boolean }>(
    `select id, erased_at is null and created_at < $2 as is_due from leads
     where id = any($1::uuid[]) order by id for no key update`,
    [leadIds, before('leads')],
  );
  const moving = await client.query<{ lead_id: string }>(SENDABLE_LEADS, [leadIds, offBefore]);
  const left = new Set(moving.rows.map(({ lead_id }) => lead_id));
  if (left.size > 0) await client.query(POSTPONE, [[...left]]);
  const free = rows.filter(({ id }) => !left.has(id));
  const due = free.filter(({ is_due }) => is_due).map(({ id }) => id);
  if (due.length > 0) {
    await emptyLeads(client, due, { kind: 'expired', actor: 'retention' });
  }
  const counts: Counts = { leads: due.length };
  for (const [what, period, statement] of EMPTY) {
    const { rowCount } = await client.query(statement, [free.map(({ id }) => id), before(period)]);
    counts[what] = rowCount ?? 0;
  }
  return counts;
}

/** Starts the job that purges old data each day. */
export function startPurge(jobs: Jobs, keep: KeepDays, log: Logger): void {
  jobs.start({
    name: 'retention',
    everyMs: LOOK_EVERY_MS,
    isDaily: true,
    async run(turn) {
      const { rows } = await turn.pool.query<{ now: Date }>('select now()');
      const purged = await purge(turn, keep, rows[0]?.now as Date);
      const hasGone = Object.values(purged).some((count) => count > 0);
      log[hasGone ? 'info' : 'debug'](purged, 'Purged');
    },
  });
}
