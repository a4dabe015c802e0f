/** Counts the bytes that each address writes per hour, across all processes, in PostgreSQL. */
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import { type AddressBytes, addressWindowKey } from '../accept/address-limit.ts';
import type { Clock } from '../base/clock.ts';
import { setLatest } from '../base/latest.ts';
import { cleanDatabaseError } from './database-error.ts';

/** A process reports an address to the database whenever it has written this share of the limit. */
const SHARE = 1 / 20;
/** After the first refusal of an address, refusals are reported in hundreds. */
const REFUSALS = 100;
/** Maximum number of addresses in memory; the oldest are dropped first. */
const MAX_ADDRESSES = 50_000;

const ADD = `
insert into address_bytes (address_window, bytes, refused)
select address_window, bytes, refused
from json_to_recordset($1::json) as row(address_window uuid, bytes bigint, refused bigint)
order by address_window
on conflict (address_window) do update set bytes = address_bytes.bytes + excluded.bytes,
  refused = address_bytes.refused + excluded.refused, seen_at = now()
returning replace(address_window::text, '-', '') as address_window, bytes::float8 as bytes,
  refused::float8 as refused`;

/** The count of one address in one hour: what the database knows, and what is not reported yet. */
type Count = { known: number; bytes: number; refused: number; toldOfRefusal: boolean };

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
    const key = addressWindowKey(networkKey, now());
    const found = counts.get(key);
    if (found) return found;
    const count: Count = { known: 0, bytes: 0, refused: 0, toldOfRefusal: false };
    setLatest(counts, key, count, MAX_ADDRESSES);
    return count;
  }

  const isDue = ({ bytes, refused, toldOfRefusal }: Count) =>
    bytes >= limit * SHARE || refused >= (toldOfRefusal ? REFUSALS : 1);

  async function tell(): Promise<void> {
    const due = [...counts].filter(([, count]) => isDue(count));
    const told = due.map(([key, { bytes, refused }]) => ({ address_window: key, bytes, refused }));
    for (const [, count] of due) {
      count.known += count.bytes;
      count.toldOfRefusal ||= count.refused > 0;
      Object.assign(count, { bytes: 0, refused: 0 });
    }
    try {
      const { rows } = await pool.query<{ address_window: string; bytes: number; refused: number }>(
        { name: 'address-bytes-add', text: ADD, values: [JSON.stringify(told)] },
      );
      for (const row of rows) {
        const count = counts.get(row.address_window);
        if (count) count.known = Math.max(count.known, row.bytes);
        const own = told.find((each) => each.address_window === row.address_window)?.refused ?? 0;
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
