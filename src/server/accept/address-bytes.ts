/** Counts the bytes that each address writes per hour, across all processes, in PostgreSQL. */
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import type { Clock } from '../base/clock.ts';
import { setLatest } from '../base/latest.ts';
import { cleanDatabaseError } from '../storage/database-error.ts';
import { addressWindow } from './lead-statements.ts';

/** A process reports an address to the database whenever it has written this share of the limit. */
const SHARE = 1 / 20;
/** After the first refusal of an address, refusals are reported in hundreds. */
const REFUSALS = 100;
/** Maximum number of addresses in memory; the oldest are dropped first. */
const MAX_ADDRESSES = 50_000;

const ADD = `
with told as (
  select *, ${addressWindow('address')} as address_window
  from json_to_recordset($1::json) as row(address text, bytes bigint, refused bigint)
), counted as (
  insert into address_bytes (address_window, bytes, refused)
  select address_window, bytes, refused from told order by address_window
  on conflict (address_window) do update set bytes = address_bytes.bytes + excluded.bytes,
    refused = address_bytes.refused + excluded.refused, seen_at = now()
  returning address_window, bytes, refused
)
select told.address, counted.bytes::float8 as bytes, counted.refused::float8 as refused,
  (3600 - mod(extract(epoch from now())::numeric, 3600))::float8 * 1000 as "endsInMs"
from told join counted using (address_window)`;

/** Counts the bytes that addresses write, across all processes (docs/specification.md#address-limit). */
export type AddressBytes = {
  /**
   * Counts bytes that are about to be written for an address, and returns whether they are permitted. Never throws.
   * @param options.reserve whether they may use the reserve, which is as large as the limit itself
   */
  take(
    addressKey: string,
    bytes: number,
    options?: { readonly reserve?: boolean },
  ): Promise<boolean>;
};

const HOUR_MS = 60 * 60 * 1000;

/** Returns the milliseconds until the next clock hour, when an address may write again. */
export function msToNextHour(now: Date): number {
  return HOUR_MS - (now.getTime() % HOUR_MS);
}

/** The count of one address in one hour: what the database knows, and what is not reported yet. */
type Count = {
  known: number;
  bytes: number;
  refused: number;
  toldOfRefusal: boolean;
  /** The end of the hour: the database's, once it has answered. */
  endsAtMs: number;
};
/** What the database answers. */
type Row = { address: string; bytes: number; refused: number; endsInMs: number };

/**
 * Counts in memory, and reports only busy addresses to the database: an ordinary visitor costs no statement
 * and leaves no row.
 *
 * @param options.limit bytes per hour; 0: no limit
 * @param options.isOver called once per address and hour, by the process that refuses first
 */
export function createAddressBytes(options: {
  pool: pg.Pool;
  limit: number;
  isOver(): void;
  log: Logger;
  now: Clock;
}): AddressBytes {
  const { pool, limit, isOver, log, now } = options;
  const counts = new Map<string, Count>();
  let telling: Promise<void> | undefined;

  function countOf(networkKey: string): Count {
    const nowMs = now().getTime();
    const found = counts.get(networkKey);
    if (found && nowMs < found.endsAtMs) return found;
    const endsAtMs = nowMs + msToNextHour(now());
    const count: Count = { known: 0, bytes: 0, refused: 0, toldOfRefusal: false, endsAtMs };
    setLatest(counts, networkKey, count, MAX_ADDRESSES);
    return count;
  }

  const isDue = ({ bytes, refused, toldOfRefusal }: Count) =>
    bytes >= limit * SHARE || refused >= (toldOfRefusal ? REFUSALS : 1);

  async function tell(): Promise<void> {
    const due = [...counts].filter(([, count]) => isDue(count));
    const told = due.map(([address, { bytes, refused }]) => ({ address, bytes, refused }));
    for (const [, count] of due) {
      count.known += count.bytes;
      count.toldOfRefusal ||= count.refused > 0;
      Object.assign(count, { bytes: 0, refused: 0 });
    }
    try {
      const query = { name: 'address-bytes-add', text: ADD, values: [JSON.stringify(told)] };
      const nowMs = now().getTime();
      for (const row of (await pool.query<Row>(query)).rows) {
        const count = counts.get(row.address);
        if (count) {
          count.known = Math.max(count.known, row.bytes);
          count.endsAtMs = nowMs + row.endsInMs;
        }
        const own = told.find(({ address }) => address === row.address)?.refused ?? 0;
        if (own > 0 && row.refused === own) isOver();
      }
    } catch (error) {
      // The limit still applies in this process, from its count in memory.
      log.warn({ err: cleanDatabaseError(error) }, 'Could not count the bytes of addresses');
    }
  }

  async function tellWhatIsDue(count: Count): Promise<void> {
    if (!isDue(count)) return;
    await telling;
    if (!isDue(count)) return;
    telling = tell().finally(() => {
      telling = undefined;
    });
    await telling;
  }

  return {
    async take(networkKey, bytes, { reserve = false } = {}) {
      if (limit === 0) return true;
      const count = countOf(networkKey);
      const most = reserve ? 2 * limit : limit;
      if (count.known + count.bytes + bytes <= most) {
        count.bytes += bytes;
        await tellWhatIsDue(count);
        // Other processes may have written more than this one knew of.
        if (count.known + count.bytes <= most) return true;
      }
      count.refused += 1;
      await tellWhatIsDue(count);
      return false;
    },
  };
}
