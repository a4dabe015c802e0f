/** Imports what sources cost on whole days (docs/specification.md#costs). */
import { hash } from 'node:crypto';
import type pg from 'pg';
import { calendarDate, formatIso } from '../../model/fields/dates.ts';
import type { CostImport, ImportedCost } from '../../model/messages/console/costs.ts';
import { inTransaction } from '../platform/database/database.ts';
import { usage } from '../platform/operator-error.ts';
import { midnight } from '../platform/time-format.ts';
import { checkCounted } from './costs.ts';
import { centsOf, dayIn, readTable } from './csv.ts';

const headings = {
  day: ['day', 'date'],
  source: ['source', 'utm source'],
  cost: ['cost', 'spend', 'amount'],
  campaign: ['campaign', 'utm campaign'],
  affiliate: ['affiliate', 'affid', 'affiliate id'],
  sub: ['sub', 'sub id', 'sub1', 's1'],
  survey: ['survey'],
} as const;

const MOST_ROWS = 5_000;

export type CostImportOptions = {
  readonly isDryRun: boolean;
  readonly actor: string;
  readonly timeZone: string;
  /** The paths of all surveys. */
  readonly surveys: readonly string[];
  readonly now: Date;
};

/**
 * Imports a CSV of costs, or tells what an import would do. A row that was imported before adds
 * only the difference of its cost. If a row cannot be read, nothing is imported.
 * @throws OperatorError `usage` if a column is missing, or there are too many rows
 */
export async function importCosts(
  pool: pg.Pool,
  csv: string,
  options: CostImportOptions,
): Promise<CostImport> {
  const { lines, refused } = readRows(csv, options);
  const { rows } = await pool.query<ImportedCost>(KNOWN, [JSON.stringify(lines), options.timeZone]);
  const cents = rows.reduce((sum, { cost, before }) => sum + Math.round(100 * (cost - before)), 0);
  if (!options.isDryRun && refused.length === 0) {
    const changed = lines.filter((_, at) => rows[at]?.cost !== rows[at]?.before);
    for (const row of changed) {
      await inTransaction(pool, async (client) => {
        // Makes concurrent imports wait for each other.
        await client.query('select 1 from counting where id = 1 for update');
        await client.query(ADD, [JSON.stringify([row]), options.timeZone, options.actor]);
      });
    }
  }
  return { rows, refused, added: cents / 100 };
}

function readRows(csv: string, options: CostImportOptions) {
  const places = new Map<string, number>();
  const { columns, ...done } = readTable(csv, headings, (cells, line) => {
    const row = readRow(cells, options);
    const earlier = places.get(row.row);
    if (earlier !== undefined) throw usage(`Line ${earlier} has the same day and names.`);
    places.set(row.row, line);
    return { line, ...row };
  });
  if (!columns.day || !columns.source || !columns.cost) {
    throw usage('The first line must name the columns day, source and cost.');
  }
  if (done.lines.length > MOST_ROWS) throw usage(`An import has at most ${MOST_ROWS} rows.`);
  return done;
}

/**
 * Reads a row. `names` omits the columns that the row leaves empty; `row` is a hash that identifies the row in all
 * imports. @throws OperatorError `usage` if the row cannot be read
 */
function readRow(
  { day: written, cost, survey, ...given }: Readonly<Record<keyof typeof headings, string>>,
  { now, timeZone, surveys }: CostImportOptions,
) {
  const day = dayIn(written);
  if (day === undefined) throw usage('The day must be a date, such as 2026-01-31.');
  if (day > formatIso(calendarDate(now, timeZone))) throw usage('The day has not come yet.');
  const cents = centsOf(cost) ?? -1;
  if (cents < 0) throw usage('The cost must be in dollars, such as 123.45.');
  if (given.source === '')
    throw usage('The source is missing. Write "direct" for visits without one.');
  if (survey !== '' && !surveys.includes(survey)) throw usage('There is no survey with this path.');
  const of = (['source', 'campaign', 'affiliate', 'sub'] as const).flatMap((name) => {
    const value = given[name].toLowerCase();
    const word = name === 'sub' ? value.replace(/^sub[1-4]=/, '') : value;
    if (word === '') return [];
    checkCounted(name, word);
    if (name === 'sub') return [[name, word === value ? `sub1=${word}` : value]];
    return [[name, name === 'source' && word === 'direct' ? '' : word]];
  });
  const names = Object.fromEntries(survey === '' ? of : [...of, ['survey', survey]]);
  return { day, names, cents, row: hash('sha256', JSON.stringify([day, names])) };
}

/**
 * SQL: rows ($1) with what earlier imports of them said, in ten-thousandths of a dollar, and the
 * visits that share their cost. $2: the operators' time zone.
 */
const SHARES = `
with given as (
  select row.*, known.* from jsonb_to_recordset($1::jsonb)
    as row(line integer, day date, names json, cents bigint, row text)
  cross join lateral (
    select count(*) as earlier, coalesce(-sum(amount) * 10000, 0)::bigint as units
    from money_entries m where source = 'import' and about->>'row' = row.row
  ) as known
), share as (
  select row, lead_id, began_at as at, count(*) over (partition by row) as sharers,
    row_number() over (partition by row order by lead_id) as place
  from given cross join lateral (
    select lead_id, began_at from visit_summaries
    where began_at >= ${midnight('day', '$2')} and began_at < ${midnight('day', '$2', 1)}
      and not is_test and not is_unauthorized and lead_state is distinct from 'erased'
      and source = names->>'source' and campaign = coalesce(names->>'campaign', campaign)
      and affiliate = coalesce(names->>'affiliate', affiliate) and survey = coalesce(names->>'survey', survey)
      and (names->>'sub' is null or names->>'sub' = any(sub_ids))
    -- Keeps the planner from a scan of all visits.
    offset 0
  ) as visit
)`;

/** SQL: what an import of the rows would do. */
const KNOWN = `${SHARES}
select line, day::text as day, cents / 100.0::float8 as cost, units / 10000.0::float8 as before,
  array(select key || '=' || coalesce(nullif(value, ''), 'direct') from json_each_text(names)) as of,
  (select count(*)::integer from share where share.row = given.row) as visits,
  (select count(*)::integer from share join money_entries m
    on m.key in ('click ' || share.lead_id, 'rate source click ' || share.lead_id) where share.row = given.row) as charged
from given order by line`;

/**
 * SQL: adds the differences between the costs of rows and their earlier imports, which the matching
 * visits share; the first visits get one ten-thousandth more. The number of earlier entries makes
 * the keys, so that the same difference is never added twice.
 */
const ADD = `${SHARES}, entry as (
  select row, earlier, lead_id, coalesce(share.at, (day::timestamp + interval '12 hours') at time zone $2::text) as at,
    sign(change.units) * coalesce(abs(change.units) / sharers + (place <= abs(change.units) % sharers)::integer, abs(change.units)) as units,
    case when lead_id is null then names::jsonb else '{}' end || jsonb_build_object('row', row) as about
  from given cross join lateral (select cents * 100 - given.units as units) as change left join share using (row)
)
insert into money_entries (id, key, kind, amount, at, lead_id, about, source, actor)
select gen_random_uuid(), concat_ws(' ', 'import', row, earlier, coalesce(lead_id::text, 'day')), 'cost',
  -units / 10000.0, at, lead_id, about, 'import', $3
from entry where units <> 0
on conflict (key) do nothing`;
