/**
 * Packs leads and visits that nobody has written to for a day, in portions by time. Any process does it, and another
 * goes on after a crash.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../../postgres/logger.ts';
import { inTransaction } from '../database.ts';
import { cleanDatabaseError } from '../database-error.ts';
import { packLeads } from './pack-leads.ts';
import { packVisits } from './pack-visits.ts';

const PORTION = 100;
/** Pauses this many times as long as a portion took, so that visitors come first. */
const PAUSES = 3;
const LEAST_PAUSE_MS = 20;
const LOOK_EVERY_MS = 600_000;

/** A row of the table by its time and id. A packed row whose time moves on comes again. */
type Place = { readonly at: string; readonly id: string };

const sources = {
  leads: { table: 'leads', id: 'id', at: 'created_at', packRows: packLeads },
  visits: { table: 'visits', id: 'lead_id', at: 'seen_at', packRows: packVisits },
} as const;
export type Packed = keyof typeof sources;

/** The last packed row. Another process that packs holds the row locked. */
const PLACE = `
select at::text, lead_id as id from packing where what = $1 and begins_at <= coalesce($2::timestamptz, now()) for update skip locked`;
/** The counting reads packed and other rows one after another, so nothing is packed meanwhile. It passes over a portion. */
const LOCK_COUNTING = 'select 1 from counting where id = 1 for share skip locked';
const KEEP_PLACE = 'update packing set at = $2::timestamptz, lead_id = $3 where what = $1';

/**
 * Packs the next portion.
 *
 * @param now default: the database's clock
 * @returns how many it packed: none while visits are counted; undefined: nothing is left, or another process packs
 */
export async function packPortion(
  pool: pg.Pool,
  what: Packed,
  now?: Date,
): Promise<number | undefined> {
  const { table, id, at, packRows } = sources[what];
  return inTransaction(pool, async (client) => {
    const [place] = (await client.query<Place>(PLACE, [what, now ?? null])).rows;
    if (!place) return undefined;
    if ((await client.query(LOCK_COUNTING)).rowCount === 0) return 0;
    const found = await client.query<Place>(
      `select ${id} as id, ${at}::text as at from ${table}
       where ${at} < coalesce($3::timestamptz, now()) - interval '25 hours' and (${at}, ${id}) > ($1::timestamptz, $2::uuid)
       order by ${at}, ${id} limit ${PORTION}`,
      [place.at, place.id, now ?? null],
    );
    // Serialized with posts, saves and erasure, which lock the row before they read or change what belongs to it.
    const { rows: locked } = await client.query<Place>(
      `select ${id} as id, ${at}::text as at from ${table} where ${id} = any($1::uuid[])
       order by ${at}, ${id} for no key update skip locked`,
      [found.rows.map((row) => row.id)],
    );
    // A row that somebody works on is packed next time, with those after it.
    const same = new Set(locked.map((row) => `${row.id} ${row.at}`));
    const busy = found.rows.findIndex((row) => !same.has(`${row.id} ${row.at}`));
    const portion = busy < 0 ? found.rows : found.rows.slice(0, busy);
    const last = portion.at(-1);
    if (!last) return undefined;
    await packRows(
      client,
      portion.map((row) => row.id),
    );
    await client.query(KEEP_PLACE, [what, last.at, last.id]);
    return portion.length;
  });
}

/** Packs what is a day old, now and every ten minutes. */
export function startPacking(pool: pg.Pool, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const packAll = async (what: Packed) => {
    for (let count: number | undefined = 0; count !== undefined && !stopping.signal.aborted; ) {
      const startMs = performance.now();
      count = await packPortion(pool, what);
      const pauseMs = Math.max(LEAST_PAUSE_MS, (performance.now() - startMs) * PAUSES);
      await sleep(pauseMs, undefined, { ref: false });
    }
  };
  const look = async () => {
    for (const what of Object.keys(sources) as Packed[]) {
      await packAll(what).catch((error: unknown) => {
        log.warn({ what, err: cleanDatabaseError(error) }, 'Packing failed; it goes on later');
      });
    }
  };
  let working = look();
  const timer = setInterval(() => {
    working = working.then(look);
  }, LOOK_EVERY_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      stopping.abort();
      return working;
    },
  };
}
