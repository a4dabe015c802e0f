/** Purges data past its retention period, once a day (docs/decisions/0017-retention-and-erasure.md). */
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import type { KeepDays } from '../config/settings.ts';
import { inTransaction, type Queryable } from '../storage/database.ts';
import { cleanDatabaseError } from '../storage/database-error.ts';
import { EMPTY_CONSENT, emptyLeads } from './empty-leads.ts';
import { MOST_ITEMS_OF_PERSONS } from './forget-reasons.ts';
import { expireOptOutRequests } from './opt-out.ts';

const PORTION = 500;
const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;

const NIL = '00000000-0000-0000-0000-000000000000';
/** The last lead of a portion: its time of arrival and id. */
type Place = readonly [string, string];

/** How many rows were deleted or emptied. */
export type Purged = Record<
  'visits' | 'leads' | 'consents' | 'clicks' | 'steps' | 'attempts' | 'requests',
  number
>;

// Portions are cut by key, not by matches, which bounds the time of each statement. Skips visits that are being
// written to. Erased visits stay, empty, so that their ids cannot be reused.
const VISITS = `
with portion as (
  select lead_id from visits where lead_id > $1 order by lead_id limit ${PORTION}
), old as (
  select lead_id from visits v where lead_id in (select lead_id from portion) and seen_at < $2
    and erased_at is null and not exists (select 1 from leads l where l.id = v.lead_id)
  for update skip locked
), gone as (delete from visits where lead_id in (select lead_id from old)
), summaries_gone as (delete from visit_summaries where lead_id in (select lead_id from old)
), clicks_gone as (delete from clicks where lead_id in (select lead_id from old)
), progress_gone as (delete from progress where lead_id in (select lead_id from old)
), checks_gone as (delete from lead_checks where lead_id in (select lead_id from old)
), codes_gone as (delete from phone_codes where lead_id in (select lead_id from old)
)
select (select max(lead_id::text) from portion) as last, (select count(*)::int from old) as gone`;

// Leads by time of arrival.
const PORTION_OF_LEADS = `
select id, created_at::text, erased_at is null and created_at < $4 as is_due
from leads l
where created_at < $3 and (created_at, id) > ($1::timestamptz, $2::uuid)
order by created_at, id limit ${PORTION}
for no key update`;
/** The leads among $1 that can still be sent. They are not purged. */
const SENDABLE_LEADS = `
select distinct lead_id from deliveries d
where lead_id = any($1::uuid[]) and state in ('waiting', 'sending', 'retrying')
  and (state = 'sending' or not exists (select 1 from destination_health h
    where h.destination = d.destination and h.off_at < $2))`;
/**
 * A destination that has been off for this many days no longer delays the purge of leads that wait
 * for it.
 */
const OFF_DAYS = 30;

/** What is counted, which retention period applies, and the statement. $1: leads. $2: purge what is older. */
const EMPTY: readonly (readonly [keyof Purged, keyof KeepDays, string])[] = [
  [
    'consents',
    'consents',
    `update consents set ${EMPTY_CONSENT}
     where lead_id = any($1::uuid[]) and created_at < $2 and (text <> '' or person is not null)`,
  ],
  [
    'clicks',
    'clicks',
    `delete from clicks using leads
     where lead_id = leads.id and leads.id = any($1::uuid[]) and leads.created_at < $2`,
  ],
  [
    'steps',
    'clicks',
    `delete from progress using leads
     where lead_id = leads.id and leads.id = any($1::uuid[]) and leads.created_at < $2`,
  ],
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

/**
 * Old plans that have ended. A small one stays until all its leads are emptied, because what operators wrote about
 * them is found by it.
 */
const PLANS = `
delete from plans where created_at < $1 and state <> 'running'
  and (due + passed_over + done + failed > ${MOST_ITEMS_OF_PERSONS} or not exists (
    select 1 from plan_items i join leads l on l.id = i.lead_id
    where i.plan_id = plans.id and l.erased_at is null))`;

/** Removes data past its retention period, in portions of 500 leads. Idempotent. */
export async function purge(
  pool: pg.Pool,
  keep: KeepDays,
  now: Date,
  signal?: AbortSignal,
): Promise<Purged> {
  const purged: Purged = {
    ...{ visits: 0, leads: 0, consents: 0, clicks: 0, steps: 0, attempts: 0 },
    requests: await expireOptOutRequests(pool, new Date(now.getTime() - keep.requests * DAY_MS)),
  };
  const before = (what: keyof KeepDays) => new Date(now.getTime() - keep[what] * DAY_MS);
  for (let after: string | null = NIL; after !== null && !signal?.aborted; ) {
    const done: pg.QueryResult<{ last: string | null; gone: number }> = await pool.query(VISITS, [
      after,
      before('visits'),
    ]);
    after = done.rows[0]?.last ?? null;
    purged.visits += done.rows[0]?.gone ?? 0;
  }
  // The limits look back one hour only.
  const yesterday = new Date(now.getTime() - DAY_MS);
  await pool.query('delete from address_persons where seen_at < $1', [yesterday]);
  await pool.query('delete from address_bytes where seen_at < $1', [yesterday]);
  await pool.query('delete from phone_code_limits where last_at < $1', [yesterday]);
  await pool.query('delete from paid_checks where hour < $1', [yesterday]);
  // A visit can be resumed for a day; after that its form is of no use.
  await pool.query('update visits set form = null where form is not null and seen_at < $1', [
    yesterday,
  ]);
  await pool.query('delete from check_answers where expires_at < $1', [now]);
  await pool.query(PLANS, [before('attempts')]);
  const { leads, clicks, attempts, consents } = keep;
  const youngest = new Date(now.getTime() - Math.min(leads, clicks, attempts, consents) * DAY_MS);
  for (let after: Place | undefined = ['-infinity', NIL]; after && !signal?.aborted; ) {
    const values: unknown[] = [...after, youngest, before('leads')];
    const offBefore = new Date(now.getTime() - OFF_DAYS * DAY_MS);
    const done: Portion | undefined = await inTransaction(pool, (client) =>
      purgePortion(client, values, before, offBefore),
    );
    for (const [what, rows] of done?.counts ?? []) purged[what] += rows;
    after = done?.last;
  }
  return purged;
}

type Portion = { last: Place; counts: [keyof Purged, number][] };

async function purgePortion(
  client: Queryable,
  values: unknown[],
  before: (what: keyof KeepDays) => Date,
  offBefore: Date,
): Promise<Portion | undefined> {
  type Row = { id: string; created_at: string; is_due: boolean };
  const { rows } = await client.query<Row>(PORTION_OF_LEADS, values);
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const ids = rows.map(({ id }) => id);
  const moving = await client.query<{ lead_id: string }>(SENDABLE_LEADS, [ids, offBefore]);
  const left = new Set(moving.rows.map(({ lead_id }) => lead_id));
  const free = rows.filter(({ id }) => !left.has(id));
  const due = free.filter(({ is_due }) => is_due).map(({ id }) => id);
  if (due.length > 0) {
    await emptyLeads(client, due, { kind: 'expired', actor: 'retention', keepsConsents: true });
  }
  const counts: [keyof Purged, number][] = [['leads', due.length]];
  for (const [what, kept, statement] of EMPTY) {
    const { rowCount } = await client.query(statement, [free.map(({ id }) => id), before(kept)]);
    counts.push([what, rowCount ?? 0]);
  }
  return { last: [last.created_at, last.id], counts };
}

/** Claims today's purge: only the first process to run this on a day gets a row. */
const TAKE_DAY = `
insert into chores (name, last_run_at) values ('purge', now())
on conflict (name) do update set last_run_at = now()
where chores.last_run_at < date_trunc('day', now())
returning last_run_at`;

/** Starts the daily purge: checks now and every hour whether today's purge is due. */
export function startDailyPurge(options: { pool: pg.Pool; keep: KeepDays; log: Logger }): {
  /** Stops the purge and waits for the current portion. */
  stop(): Promise<void>;
} {
  const { pool, keep, log } = options;
  const stopping = new AbortController();
  async function takeDay(): Promise<Date | undefined> {
    try {
      const { rows } = await pool.query<{ last_run_at: Date }>(TAKE_DAY);
      return rows[0]?.last_run_at;
    } catch (error) {
      log.warn(
        { err: cleanDatabaseError(error) },
        'The purge could not begin; next try in an hour',
      );
      return undefined;
    }
  }
  async function look(): Promise<void> {
    const takenAt = await takeDay();
    if (!takenAt) return;
    try {
      const purged = await purge(pool, keep, takenAt, stopping.signal);
      // Not worth a line in the log when nothing was purged.
      const hasGone = Object.values(purged).some((rows) => rows > 0);
      log[hasGone ? 'info' : 'debug'](purged, 'Purged');
    } catch (error) {
      log.error({ err: cleanDatabaseError(error) }, 'The purge failed; it continues tomorrow');
    }
  }
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_EVERY_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      stopping.abort();
      return looking;
    },
  };
}
