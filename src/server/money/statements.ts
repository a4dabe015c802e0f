/** Stores and reads the comparisons of buyers' statements, and decides about their differences. */
import type pg from 'pg';
import type {
  Comparison,
  Difference,
  DifferenceDecision,
  DifferenceState,
  Statement,
  StatementRequest,
} from '../../model/messages/console/statements.ts';
import { nameOf } from '../delivery/index.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';
import { isoTime } from '../platform/time-format.ts';
import { compareStatement } from './compare-statement.ts';

/** Maximum number of statements, or of differences, in an answer. */
export const SHOWN = 500;

// The id stays, so that a link to a corrected statement still works.
const STORE = `
insert into statements (id, destination, first_day, last_day, file_name, lines, agree, ours, theirs, actor)
values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (destination, first_day, last_day) do update set file_name = excluded.file_name, lines = excluded.lines,
  agree = excluded.agree, ours = excluded.ours, theirs = excluded.theirs, actor = excluded.actor, created_at = now()
returning id`;

// Replaces the differences, and takes over what was decided about the same ones. No number is used again, so that a
// decision on a page that shows the replaced ones is refused.
const REPLACE_DIFFERENCES = `
with old as (delete from statement_differences where statement_id = $1 returning *)
insert into statement_differences (statement_id, kind, reference, lead_id, ours, theirs, amount, state, note,
  changed_by, changed_at)
select $1, new.kind, new.reference, new."leadId", new.ours, new.theirs, new.amount,
  coalesce(old.state, 'open'), coalesce(old.note, ''), old.changed_by, old.changed_at
from jsonb_to_recordset($2::jsonb) as new(kind text, reference text, "leadId" uuid, ours text, theirs text,
  amount numeric)
left join old on (old.kind, old.reference, old.ours, old.theirs) = (new.kind, new.reference, new.ours, new.theirs)`;

/**
 * Compares a statement with our ledger, and stores the result unless it is a dry run. It replaces an
 * earlier one of the same buyer and period. `timeZone` applies to a buyer without terms.
 * @throws OperatorError `usage` if the file cannot be compared
 */
export async function addStatement(
  pool: pg.Pool,
  request: StatementRequest,
  { actor, timeZone }: { readonly actor: string; readonly timeZone: string },
): Promise<Comparison> {
  const compared = await compareStatement(pool, request, timeZone);
  const found = compared.differences.length;
  const shown = { ...compared, found, differences: compared.differences.slice(0, SHOWN) };
  if (request.isDryRun) return shown;
  const { firstDay, lastDay, lines, agree, ours, theirs } = compared;
  const about = [request.destination, firstDay, lastDay, request.fileName];
  return inTransaction(pool, async (client) => {
    const values = [...about, lines, agree, ours, theirs, actor];
    const { rows } = await client.query<{ id: string }>(STORE, values);
    const id = rows[0]?.id ?? '';
    await client.query(REPLACE_DIFFERENCES, [id, JSON.stringify(compared.differences)]);
    return { id, ...shown };
  });
}

/** Lists the newest statements. */
export async function listStatements(client: Queryable): Promise<Statement[]> {
  const { rows } = await client.query<Statement>(
    `select id, ${nameOf('s.destination')} as buyer,
       first_day::text as "firstDay", last_day::text as "lastDay", file_name as "fileName", lines, agree,
       ours::float8 as ours, theirs::float8 as theirs, ${isoTime('created_at')} as "createdAt", sums
     from statements s cross join lateral (
       select coalesce(json_agg(one), '[]') as sums from (
         select state, count(*) as differences, sum(amount) as amount
         from statement_differences where statement_id = s.id
         group by state order by array_position('{open,disputed,explained}', state)) one
     ) as counted
     order by last_day desc, id desc limit ${SHOWN}`,
  );
  return rows;
}

/** Reads the differences of a statement in some states: open ones first, then by amount. Without `limit`: all. */
export async function readDifferences(
  client: Queryable,
  id: string,
  states: readonly DifferenceState[],
  limit?: number,
): Promise<Difference[]> {
  const { rows } = await client.query<Difference>(
    `select number, kind, reference, lead_id as "leadId", ours, theirs, amount::float8 as amount, state, note
     from statement_differences where statement_id = $1 and state = any($2)
     order by state = 'open' desc, abs(amount) desc, number limit $3`,
    [id, states, limit],
  );
  return rows;
}

/**
 * Explains, disputes or reopens a difference; without a number, all open ones.
 * @throws OperatorError `refused` if there is none
 */
export async function decideDifferences(
  client: Queryable,
  id: string,
  { number, state, reason }: DifferenceDecision,
  actor: string,
): Promise<void> {
  const { rowCount } = await client.query(
    `update statement_differences set state = $3, note = $4, changed_by = $5, changed_at = now()
     where statement_id = $1 and case when $2::integer is null then state = 'open' else number = $2 end`,
    [id, number, state, reason.trim(), actor],
  );
  if (!rowCount) throw refused('The differences have changed: reload the page.');
}
