/** Counts paid checks per hour in PostgreSQL. */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import type { PaidCheckStore } from '../lookups/paid-checks.ts';
import { databaseSecret } from './database-secret.ts';

/** The key of the overall count; no HMAC in base64url can equal it. */
const EVERYBODY = 'everybody';

// The address is counted first: if it is over its limit, the overall count stays as it is. The row
// locks serialize concurrent statements of all processes. $1: key of the address. $2: limit per
// address. $3: overall limit.
const COUNT = `
with by_address as (
  insert into paid_checks (key, hour, checks) values ($1, date_trunc('hour', now()), 1)
  on conflict (key, hour) do update set checks = paid_checks.checks + 1
  where paid_checks.checks < $2::integer
  returning 1
), by_everybody as (
  insert into paid_checks (key, hour, checks)
  select '${EVERYBODY}', date_trunc('hour', now()), 1 from by_address
  on conflict (key, hour) do update set checks = paid_checks.checks + 1
  where paid_checks.checks < $3::integer
  returning 1
)
select exists (select 1 from by_address) as is_within_address,
  exists (select 1 from by_everybody) as is_within_overall`;

/** Returns the store. Addresses are stored as HMACs under a secret of this database. */
export function createPaidCheckStore(pool: pg.Pool): PaidCheckStore {
  const secret = databaseSecret(pool);
  return {
    async count(networkKey, { perAddress, overall }) {
      const key = createHmac('sha256', await secret())
        .update(`paid check:${networkKey}`)
        .digest('base64url');
      const { rows } = await pool.query<Record<'is_within_address' | 'is_within_overall', boolean>>(
        { name: 'paid-check-count', text: COUNT, values: [key, perAddress, overall] },
      );
      if (!rows[0]?.is_within_address) return 'address';
      return rows[0].is_within_overall ? 'counted' : 'overall';
    },
  };
}
