/** Adds up the requests of all processes in PostgreSQL. */
import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import type { Clock } from '../base/clock.ts';
import { createRequestCounts, type RequestCounts } from '../base/request-counts.ts';
import { cleanDatabaseError } from './database-error.ts';

/** A statement that began a little earlier may see a minute that begins after it; a clock set back, one long after. */
const IS_OVER = `stored.since not between now() - interval '1 minute' and now() + interval '1 minute'`;

/** A minute begins with its first report. */
const ADD = `
insert into request_counts as stored (key, since, requests) values ($1, now(), $2)
on conflict (key) do update set
  since = case when ${IS_OVER} then now() else stored.since end,
  requests = excluded.requests + case when ${IS_OVER} then 0 else stored.requests end
returning requests, least(60000, 60000 - extract(epoch from now() - since)::float8 * 1000) as "endsInMs"`;

export function createSharedRequestCounts(options: {
  pool: pg.Pool;
  log: Logger;
  now: Clock;
}): RequestCounts {
  const { pool, log, now } = options;
  return createRequestCounts({
    now,
    async report(key, requests) {
      const values = [hash('sha256', key, 'hex').slice(0, 32), requests];
      try {
        const query = { name: 'request-counts-add', text: ADD, values };
        return (await pool.query<{ requests: number; endsInMs: number }>(query)).rows[0];
      } catch (error) {
        // The limit still applies in this process.
        log.warn({ err: cleanDatabaseError(error) }, 'Could not count requests in the database');
        return undefined;
      }
    },
  });
}
