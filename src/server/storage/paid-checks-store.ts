/** Counts paid checks per hour in PostgreSQL. */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type { CountPaidCheck } from '../lookups/paid-checks.ts';
import { databaseSecret } from './database-secret.ts';

/** The key of the overall count; no HMAC in base64url can equal it. */
const EVERYBODY = 'everybody';

// The row's lock serializes concurrent statements of all processes. $1: key. $2: limit.
const COUNT = `
insert into paid_checks (key, hour, checks) values ($1, date_trunc('hour', now()), 1)
on conflict (key, hour) do update set checks = paid_checks.checks + 1
where paid_checks.checks < $2::integer`;

/** Returns the counter. Addresses are stored as HMACs under a secret of this database. */
export function createCountPaidCheck(pool: pg.Pool): CountPaidCheck {
  const secret = databaseSecret(pool);
  const isWithin = async (key: string, limit: number) => {
    const query = { name: 'paid-check-count', text: COUNT, values: [key, limit] };
    return (await pool.query(query)).rowCount === 1;
  };
  return async (networkKey, { perAddress, overall }) => {
    const key = createHmac('sha256', await secret())
      .update(`paid check:${networkKey}`)
      .digest('base64url');
    // The address first: one over its limit takes nothing from the others.
    if (!(await isWithin(key, perAddress))) return 'address';
    return (await isWithin(EVERYBODY, overall)) ? 'counted' : 'overall';
  };
}
