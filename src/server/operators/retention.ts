/** Purges data past its retention period, once a day (docs/decisions/0017-retention-and-erasure.md). */
import type { Logger } from '../../postgres/logger.ts';
import type { KeepDays } from '../config/settings.ts';
import type { Queryable } from '../storage/database.ts';
import type { Jobs, Turn } from '../storage/jobs.ts';
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

/** The next leads that an earlier purge left: they could still be sent, or were set aside. */
const LATER = `select lead_id from purge_later where lead_id > $1 order by lead_id limit ${PORTION}`;
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
 * ran, and continues there after an interruption. Idempotent. A lead that cannot be purged is set aside until the
 * next purge.
 */
export async function purge(
  turn: Turn,
  keep: KeepDays,
  now: Date,
  onPortion?: (portion: PurgedPortion) => void,
): Promise<Purged> {
  const { pool, signal } = turn;
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const before = (what: keyof KeepDays) => ago(keep[what]);
  const purged: Purged = {
    ...{ visits: 0, leads: 0, consents: 0, clicks: 0, steps: 0, attempts: 0, requests: 0 },
  };
  const add = (counts: Counts) => {
    for (const [what, rows] of counts) purged[what] += rows;
  };
  const idOf = (leadId: string) => leadId;

  let emptied = 1;
  while (emptied > 0 && !signal.aborted) {
    emptied = await turn.transaction((client) =>
      expireOptOutRequests(client, before('requests'), PORTION),
    );
    add([['requests', emptied]]);
  }
  for (const work of shortLivedWorks({ now, yesterday: ago(1), plans: before('attempts') })) {
    while (!signal.aborted && (await turn.transaction(work)));
  }

  for (let after = START.id; !signal.aborted; ) {
    const { rows } = await pool.query<{ lead_id: string }>(LATER, [after]);
    const leadIds = rows.map(({ lead_id }) => lead_id);
    const { results } = await turn.doItems(leadIds, idOf, async (client, some) => {
      await client.query('delete from purge_later where lead_id = any($1)', [some]);
      return purgeLeads(client, some, before, ago(OFF_DAYS));
    });
    results.forEach(add);
    const last = leadIds.at(-1);
    if (last === undefined) break;
    after = last;
  }

  for (const { name, period, rows: source } of SOURCES) {
    let [from = START] = (await pool.query<Place>(PLACE, [name])).rows;
    const until = before(period);
    const rest = { sql: restOf(source), parameters: [from.at, from.id, until] };
    const all = (await estimateRows(pool, rest)) ?? 0;
    while (!signal.aborted) {
      const { rows } = await pool.query<Place & { lead_id: string }>(portionOf(source), [
        ...[from.at, from.id, until],
      ]);
      const last = rows.at(-1);
      if (last === undefined) break;
      const leadIds = [...new Set(rows.map(({ lead_id }) => lead_id))];
      const { results, poisoned } = await turn.doItems(leadIds, idOf, async (client, some) => {
        if (name !== 'visits') return purgeLeads(client, some, before, ago(OFF_DAYS));
        const { rowCount } = await client.query(VISITS, [some, until]);
        return [['visits', rowCount ?? 0]] satisfies Counts;
      });
      results.forEach(add);
      await turn.transaction(async (client) => {
        if (poisoned.length > 0) await client.query(POSTPONE, [poisoned]);
        await client.query(KEEP_PLACE, [name, last.at, last.id]);
      });
      from = last;
      onPortion?.({ source: name, rows: rows.length, lookedTo: last.at, until, all });
    }
  }
  return purged;
}

type Counts = readonly (readonly [keyof Purged, number])[];

/** Purges what is due of some leads; those that can still be sent at a later run. */
async function purgeLeads(
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

/** Starts the daily purge. A purge that was interrupted continues within an hour. */
export function startPurge(
  jobs: Jobs,
  options: {
    readonly keep: KeepDays;
    readonly log: Logger;
    /** Default: 30 seconds. */
    readonly tellEveryMs?: number;
  },
): void {
  const { keep, log, tellEveryMs = TELL_EVERY_MS } = options;
  jobs.start({
    ...{ name: 'retention', everyMs: LOOK_EVERY_MS, isDaily: true },
    async run(turn) {
      const { rows } = await turn.pool.query<{ now: Date }>('select now()');
      const purged = await purge(turn, keep, rows[0]?.now as Date, tellProgress(log, tellEveryMs));
      // Not worth a line in the log when nothing was purged.
      const hasGone = Object.values(purged).some((count) => count > 0);
      log[hasGone ? 'info' : 'debug'](purged, 'Purged');
    },
  });
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
