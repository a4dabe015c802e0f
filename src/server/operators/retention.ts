/** Purges data past its retention period, once a day (docs/decisions/0017-retention-and-erasure.md). */
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import type { KeepDays } from '../config/settings.ts';
import { inTransaction, type Queryable } from '../storage/database.ts';
import { cleanDatabaseError } from '../storage/database-error.ts';
import { EMPTY_CONSENT, emptyLeads } from './empty-leads.ts';
import { expireOptOutRequests } from './opt-out.ts';
import { estimateRows } from './portions.ts';
import { shortLivedWorks } from './short-lived.ts';

const PORTION = 500;
const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;
/** How often a long purge tells how far it is. */
const TELL_EVERY_MS = 30_000;

/** A row by its time and id. */
type Place = { at: string; id: string };
const START: Place = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** How many rows were deleted or emptied. */
export type Purged = Record<
  'visits' | 'leads' | 'consents' | 'clicks' | 'steps' | 'attempts' | 'requests',
  number
>;

/** What comes of age, by its own time. The purge remembers how far it came in each. */
const SOURCES: readonly {
  readonly name: string;
  readonly period: keyof KeepDays;
  /** SQL: rows with `at`, `id` and `lead_id`. `at` never changes once it is past. */
  readonly rows: string;
}[] = [
  {
    name: 'visits',
    period: 'visits',
    rows: 'select seen_at as at, lead_id as id, lead_id from visits',
  },
  {
    name: 'clicks',
    period: 'clicks',
    rows: 'select seen_at as at, lead_id as id, lead_id from visits',
  },
  { name: 'leads', period: 'leads', rows: 'select created_at as at, id, id as lead_id from leads' },
  // A lead may get a consent long after it came, and an attempt after a resend.
  {
    name: 'consents',
    period: 'consents',
    rows: 'select created_at as at, lead_id as id, lead_id from consents',
  },
  {
    name: 'attempts',
    period: 'attempts',
    rows: `select started_at as at, delivery_id as id, lead_id
      from delivery_attempts join deliveries on deliveries.id = delivery_id`,
  },
  {
    name: 'finished deliveries',
    period: 'attempts',
    rows: 'select finished_at as at, id, lead_id from deliveries where finished_at is not null',
  },
  {
    name: 'deliveries',
    period: 'attempts',
    rows: 'select created_at as at, id, id as lead_id from leads',
  },
];

// Cut by key, not by what is still there: that bounds the time of the statement. The order is by the source's time: its
// text has the same name, and no index.
const restOf = (rows: string) => `
select at::text, id, lead_id from (${rows}) as source
where at < $3 and (at, id) > ($1::timestamptz, $2::uuid)`;
const portionOf = (rows: string) =>
  `${restOf(rows)} order by source.at, source.id limit ${PORTION}`;

const PLACE = 'select at::text, id from purge_places where source = $1';
const KEEP_PLACE = `
insert into purge_places (source, at, id) values ($1, $2, $3)
on conflict (source) do update set at = excluded.at, id = excluded.id`;

// Erased visits stay, empty, so that their ids cannot be reused.
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

const LEADS = `
select id, erased_at is null and created_at < $2 as is_due from leads
where id = any($1::uuid[]) order by id for no key update`;

const LOCK_VISITS = `
select 1 from visits where lead_id = any($1::uuid[]) order by lead_id for no key update`;

/** Takes the next leads that could still be sent at an earlier purge. */
const LATER = `
delete from purge_later where lead_id = any(array(
  select lead_id from purge_later where lead_id > $1 order by lead_id limit ${PORTION}))
returning lead_id`;
const POSTPONE = `
insert into purge_later (lead_id) select unnest($1::uuid[]) on conflict do nothing`;

/** The leads among $1 that can still be sent. They are purged later. */
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
    `with ended as (
       select id from leads where id = any($1::uuid[]) and erased_at is not null
         and not exists (select 1 from consents c where c.lead_id = leads.id and c.created_at >= $2)
     ), keys as (
       update leads set email_key = null, phone_key = null
       where id = any(array(select id from ended)) and (email_key is not null or phone_key is not null)
     ), keys_of_revisions as (
       update lead_revisions set email_key = null, phone_key = null
       where lead_id = any(array(select id from ended)) and (email_key is not null or phone_key is not null)
     )
     update consents set ${EMPTY_CONSENT}
     where lead_id = any($1::uuid[]) and created_at < $2 and (text <> '' or person is not null)`,
  ],
  [
    'clicks',
    'clicks',
    `delete from clicks using visits
     where clicks.lead_id = visits.lead_id and visits.lead_id = any($1::uuid[]) and seen_at < $2`,
  ],
  [
    'steps',
    'clicks',
    `delete from progress using visits
     where progress.lead_id = visits.lead_id and visits.lead_id = any($1::uuid[]) and seen_at < $2`,
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

/** A portion of rows that came of age. */
type PurgedPortion = {
  readonly source: string;
  readonly rows: number;
  /** The time of the last one. */
  readonly lookedTo: string;
  /** Rows of this time and later are kept. */
  readonly until: Date;
  /** About how many rows of the source had come of age when the purge began with it. */
  readonly all: number;
};

/**
 * Removes data past its retention period, in portions of 500 leads. It looks only at what came of age since it last
 * ran, and continues there after an interruption. Idempotent.
 */
export async function purge(
  pool: pg.Pool,
  keep: KeepDays,
  now: Date,
  options: {
    /** Stops before the next portion. */
    readonly signal?: AbortSignal;
    onPortion?(portion: PurgedPortion): void;
  } = {},
): Promise<Purged> {
  const { signal, onPortion } = options;
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const before = (what: keyof KeepDays) => ago(keep[what]);
  const purged: Purged = {
    ...{ visits: 0, leads: 0, consents: 0, clicks: 0, steps: 0, attempts: 0, requests: 0 },
  };
  const purgeLeads = (client: Queryable, leadIds: readonly string[]) =>
    purgeLeadsOf(client, leadIds, before, ago(OFF_DAYS));
  /** Runs a portion's work and adds up what it did. @returns whether there may be more */
  async function portion(work: (client: Queryable) => Promise<Counts | undefined>) {
    if (signal?.aborted) return false;
    const counts = await inTransaction(pool, work);
    for (const [what, rows] of counts ?? []) purged[what] += rows;
    return counts !== undefined;
  }

  const expireRequests = async (client: Queryable): Promise<Counts | undefined> => {
    const emptied = await expireOptOutRequests(client, before('requests'), PORTION);
    return emptied === 0 ? undefined : [['requests', emptied]];
  };
  while (await portion(expireRequests));
  for (const work of shortLivedWorks({ now, yesterday: ago(1), plans: before('attempts') })) {
    while (await portion(async (client) => ((await work(client)) ? [] : undefined)));
  }

  let [after, next] = [START.id, START.id];
  const later = async (client: Queryable): Promise<Counts | undefined> => {
    const { rows } = await client.query<{ lead_id: string }>(LATER, [after]);
    const leadIds = rows.map(({ lead_id }) => lead_id).sort();
    next = leadIds.at(-1) ?? after;
    return leadIds.length === 0 ? undefined : purgeLeads(client, leadIds);
  };
  while (await portion(later)) after = next;

  for (const { name, period, rows: source } of SOURCES) {
    let looked: Pick<PurgedPortion, 'rows' | 'lookedTo'> | undefined;
    const [begin = START] = (await pool.query<Place>(PLACE, [name])).rows;
    const rest = { sql: restOf(source), parameters: [begin.at, begin.id, before(period)] };
    const all = (await estimateRows(pool, rest)) ?? 0;
    const due = async (client: Queryable): Promise<Counts | undefined> => {
      const [from = START] = (await client.query<Place>(PLACE, [name])).rows;
      const { rows } = await client.query<Place & { lead_id: string }>(portionOf(source), [
        ...[from.at, from.id, before(period)],
      ]);
      const last = rows.at(-1);
      if (last === undefined) return undefined;
      looked = { rows: rows.length, lookedTo: last.at };
      await client.query(KEEP_PLACE, [name, last.at, last.id]);
      const leadIds = [...new Set(rows.map(({ lead_id }) => lead_id))];
      if (name !== 'visits') return purgeLeads(client, leadIds);
      const { rowCount } = await client.query(VISITS, [leadIds, before(period)]);
      return [['visits', rowCount ?? 0]];
    };
    while (await portion(due)) {
      if (looked) onPortion?.({ source: name, ...looked, until: before(period), all });
    }
  }
  return purged;
}

type Counts = readonly (readonly [keyof Purged, number])[];

/** Purges what is due of some leads; those that can still be sent at a later run. */
async function purgeLeadsOf(
  client: Queryable,
  leadIds: readonly string[],
  before: (what: keyof KeepDays) => Date,
  offBefore: Date,
): Promise<Counts> {
  await client.query(LOCK_VISITS, [leadIds]);
  const { rows } = await client.query<{ id: string; is_due: boolean }>(LEADS, [
    ...[leadIds, before('leads')],
  ]);
  const moving = await client.query<{ lead_id: string }>(SENDABLE_LEADS, [leadIds, offBefore]);
  const left = new Set(moving.rows.map(({ lead_id }) => lead_id));
  if (left.size > 0) await client.query(POSTPONE, [[...left]]);
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
  return counts;
}

/** Claims today's purge: only the first process to run this on a day gets a row. A later day was a wrong clock's. */
const TAKE_DAY = `
insert into chores (name, last_run_at) values ('purge', now())
on conflict (name) do update set last_run_at = now()
where chores.last_run_at < date_trunc('day', now())
  or chores.last_run_at >= date_trunc('day', now()) + interval '1 day'
returning last_run_at`;

/** Gives the day back: any process goes on within an hour. */
const GIVE_DAY_BACK = `update chores set last_run_at = '-infinity' where name = 'purge'`;

/** Starts the daily purge: checks now and every hour whether today's purge is due. */
export function startDailyPurge(options: {
  pool: pg.Pool;
  keep: KeepDays;
  log: Logger;
  /** Default: 30 seconds. */
  tellEveryMs?: number;
}): {
  /** Stops the purge and waits for the current portion. */
  stop(): Promise<void>;
} {
  const { pool, keep, log, tellEveryMs = TELL_EVERY_MS } = options;
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
      const onPortion = tellProgress(log, tellEveryMs);
      const purged = await purge(pool, keep, takenAt, { signal: stopping.signal, onPortion });
      // Not worth a line in the log when nothing was purged.
      const hasGone = Object.values(purged).some((rows) => rows > 0);
      log[hasGone ? 'info' : 'debug'](purged, 'Purged');
      if (!stopping.signal.aborted) return;
    } catch (error) {
      log.error({ err: cleanDatabaseError(error) }, 'The purge failed; it continues in an hour');
    }
    // Without the database it continues tomorrow.
    await pool.query(GIVE_DAY_BACK).catch(() => undefined);
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

/** Returns a function that logs how far a purge is, if it takes long. */
function tellProgress(log: Logger, everyMs: number): (portion: PurgedPortion) => void {
  const startMs = performance.now();
  let [rows, toldMs] = [0, startMs];
  const ofSource = new Map<string, number>();
  return ({ all, ...portion }) => {
    rows += portion.rows;
    const looked = (ofSource.get(portion.source) ?? 0) + portion.rows;
    ofSource.set(portion.source, looked);
    const nowMs = performance.now();
    if (nowMs - toldMs < everyMs) return;
    toldMs = nowMs;
    const rate = rows / ((nowMs - startMs) / 1_000);
    const remaining = Math.max(0, all - looked);
    const [rowsPerSecond, remainingSeconds] = [rate, remaining / rate].map(Math.round);
    log.info({ ...portion, rows, rowsPerSecond, remaining, remainingSeconds }, 'Purging');
  };
}
