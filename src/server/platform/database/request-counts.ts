/** Counts requests in all processes together (docs/decisions/0020-address-limits.md). */
import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { setLatest } from '../latest.ts';
import type { Logger } from '../postgres/logger.ts';
import { cleanDatabaseError } from './database-error.ts';

const MINUTE_MS = 60_000;
/** A process reports its count whenever the count has grown by this share of the limit. */
const SHARE = 1 / 10;
/** Maximum number of keys in memory. */
const MAX_KEYS = 50_000;

const WINDOW = `$3::float8 * interval '1 millisecond'`;
/** SQL: true if the stored time window has ended. */
const IS_OVER = `stored.since not between now() - ${WINDOW} and now() + ${WINDOW}`;

/** SQL: adds amount $2 to the count of key $1, in a window of $3 milliseconds. */
const ADD = `
insert into request_counts as stored (key, since, amount) values ($1, now(), $2)
on conflict (key) do update set
  since = case when ${IS_OVER} then now() else stored.since end,
  amount = excluded.amount + case when ${IS_OVER} then 0 else stored.amount end
returning amount::float8 as total,
  least($3::float8, $3::float8 - extract(epoch from now() - since)::float8 * 1000) as "endsInMs"`;

/** The result of counting an amount against a limit. */
type Counted = { readonly isWithin: boolean; readonly endsInMs: number };

export type RequestCounts = ReturnType<typeof createRequestCounts>;

/** Creates counts of requests in memory. Only keys with many requests cause database queries. */
export function createRequestCounts(
  now: Clock,
  shared?: { readonly pool: Pick<pg.Pool, 'query'>; readonly log: Pick<Logger, 'warn'> },
  windowMs = MINUTE_MS,
) {
  const windows = new Map<string, { reported: number; own: number; endsAtMs: number }>();

  /** Adds an amount to the key's count in the database. Returns undefined if the database fails. */
  async function report(key: string, amount: number) {
    const values = [hash('sha256', key, 'hex').slice(0, 32), amount, windowMs];
    const query = { name: 'request-counts-add', text: ADD, values };
    type Row = { readonly total: number; readonly endsInMs: number };
    try {
      return (await shared?.pool.query<Row>(query))?.rows[0];
    } catch (error) {
      shared?.log.warn({ err: cleanDatabaseError(error) }, 'Could not count in the database');
      return undefined;
    }
  }

  return {
    /** Adds an amount to the count of a key if the limit allows the amount. Never throws. */
    async take(key: string, limit: number, amount = 1): Promise<Counted> {
      const nowMs = now().getTime();
      let window = windows.get(key);
      if (window === undefined || nowMs >= window.endsAtMs) {
        window = { reported: 0, own: 0, endsAtMs: nowMs + windowMs };
        setLatest(windows, key, window, MAX_KEYS);
      }
      const counted = (isWithin: boolean) => ({ isWithin, endsInMs: window.endsAtMs - nowMs });
      if (window.reported + window.own + amount > limit) return counted(false);
      window.own += amount;
      if (shared === undefined || window.own < limit * SHARE) return counted(true);
      const { own } = window;
      window.reported += own;
      window.own = 0;
      const all = await report(key, own);
      if (all) {
        window.reported = Math.max(window.reported, all.total);
        window.endsAtMs = nowMs + all.endsInMs;
      }
      // `window.reported` now includes other processes' requests, which may exceed the limit.
      return counted(window.reported + window.own <= limit);
    },
  };
}
