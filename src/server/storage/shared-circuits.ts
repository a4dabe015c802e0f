/** The circuits of all processes in PostgreSQL. Only a service that fails has a row. */
import type pg from 'pg';
import type { Logger } from '../../postgres/logger.ts';
import type { SharedCircuit } from '../base/shared-circuit.ts';
import { cleanDatabaseError } from './database-error.ts';

/** SQL: failures in a row. Those of longer than a pause ago are forgotten. */
const inRow = `case when c.failed_at < now() - $3 * interval '1 millisecond' then 1 else c.failures + 1 end`;

// $1 service, $2 failures that open its circuit, $3 pause in milliseconds.
const FAILED = `
insert into service_circuits as c (service, failures, failed_at, open_until)
values ($1, 1, now(), case when $2::integer <= 1 then now() + $3 * interval '1 millisecond' end)
on conflict (service) do update set failures = ${inRow}, failed_at = now(),
  open_until = case when c.open_until > now() then c.open_until
    when ${inRow} >= $2::integer then now() + $3 * interval '1 millisecond' end
returning coalesce(extract(epoch from open_until - now()) * 1000, 0)::float8 as "openForMs",
  open_until is not distinct from now() + $3 * interval '1 millisecond' as "isOurs"`;

const TAKE_TRIAL = `
update service_circuits set open_until = now() + $2 * interval '1 millisecond'
where service = $1 and open_until <= now()`;

const OTHERS = `
select greatest(extract(epoch from open_until - now()) * 1000, 1)::float8 as "openForMs"
from service_circuits where service = $1 and open_until is not null`;

/** The part of one service. */
export function createSharedCircuit(options: {
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly name: string;
}): SharedCircuit {
  const { pool, log, name } = options;

  async function ask<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) {
    try {
      return await pool.query<Row>(text, [name, ...values]);
    } catch (error) {
      log.warn({ err: cleanDatabaseError(error) }, 'A circuit could not be shared');
      return undefined;
    }
  }

  return {
    async failed(failures, pauseMs) {
      type Row = { openForMs: number; isOurs: boolean };
      return (await ask<Row>(FAILED, [failures, pauseMs]))?.rows[0];
    },
    async takeTrial(pauseMs) {
      const taken = await ask(TAKE_TRIAL, [pauseMs]);
      if (taken === undefined || taken.rowCount === 1) return taken && 0;
      const others = await ask<{ openForMs: number }>(OTHERS, []);
      return others && (others.rows[0]?.openForMs ?? null);
    },
    async closed() {
      await ask('delete from service_circuits where service = $1', []);
    },
  };
}
