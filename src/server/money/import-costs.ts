/** Imports what sources cost on whole days (docs/specification.md#costs). */
import { hash } from 'node:crypto';
import type pg from 'pg';
import { calendarDate, formatIso, parseIso } from '../../model/fields/dates.ts';
import type { CostImport, ImportedCost } from '../../model/messages/console/costs.ts';
import type { BadLine } from '../../model/messages/console/people-requests.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { usage } from '../platform/operator-error.ts';
import { isCounted, notCounted } from './costs.ts';
import { centsOf, readTable } from './csv.ts';

const headings = {
  day: ['day', 'date'],
  source: ['source', 'utm source'],
  cost: ['cost', 'spend', 'amount'],
  campaign: ['campaign', 'utm campaign'],
  affiliate: ['affiliate', 'affid', 'affiliate id'],
  sub: ['sub', 'sub id', 'sub1', 's1'],
  survey: ['survey'],
} as const;
type Column = keyof typeof headings;

const MOST_ROWS = 5_000;

/** What a row names. Absent: any value. The source is empty for direct visits. */
type Names = { readonly source: string } & Readonly<
  Partial<Record<'campaign' | 'affiliate' | 'sub' | 'survey', string>>
>;
type CostRow = {
  readonly line: number;
  readonly day: string;
  readonly names: Names;
  readonly cents: number;
  /** Identifies the row in all imports. */
  readonly row: string;
};

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
  const { rows, refused } = readRows(csv, options);
  const known = await readKnown(pool, rows, options.timeZone);
  const all = rows.map(({ line, day, names, cents, row }): ImportedCost => {
    const { before = '0', visits = 0 } = known.get(row) ?? {};
    const of = Object.entries(names).map(([name, value]) => `${name}=${value || 'direct'}`);
    return { line, day, of, cost: cents / 100, before: Number(before), visits };
  });
  const cents = all.reduce((sum, each) => sum + Math.round(100 * (each.cost - each.before)), 0);
  if (!options.isDryRun && refused.length === 0) {
    const changed = rows.filter((_, at) => all[at]?.cost !== all[at]?.before);
    for (const row of changed) await addRow(pool, row, options);
  }
  return { rows: all, refused, added: cents / 100 };
}

function readRows(csv: string, options: CostImportOptions) {
  const table = readTable(csv, headings);
  const missing = (['day', 'source', 'cost'] as const).filter((name) => !table.columns[name]);
  if (missing.length > 0) {
    throw usage(
      `The first line must name the columns day, source and cost. Missing: ${missing.join(', ')}.`,
    );
  }
  if (table.lines.length > MOST_ROWS) throw usage(`An import has at most ${MOST_ROWS} rows.`);
  const refused: BadLine[] = [...table.refused];
  const read = new Map<string, CostRow>();
  for (const { line, cells } of table.lines) {
    const row = readRow(cells, options);
    const earlier = typeof row === 'string' ? undefined : read.get(row.row);
    const reason =
      typeof row === 'string' ? row : earlier && `Line ${earlier.line} has the same day and names.`;
    if (reason !== undefined) refused.push({ line, reason });
    else if (typeof row !== 'string') read.set(row.row, { line, ...row });
  }
  return { rows: [...read.values()], refused };
}

/** Reads a row, or returns why it cannot be read. */
function readRow(
  cells: Readonly<Record<Column, string>>,
  { now, timeZone, surveys }: CostImportOptions,
): Omit<CostRow, 'line'> | string {
  const { day, survey } = cells;
  if (parseIso(day) === undefined) return 'The day must be written as 2026-01-31.';
  if (day > formatIso(calendarDate(now, timeZone))) return 'The day has not come yet.';
  const cents = centsOf(cells.cost);
  if (cents === undefined || cents < 0) return 'The cost must be in dollars, such as 123.45.';
  const words = { source: '', campaign: '', affiliate: '' };
  for (const name of ['source', 'campaign', 'affiliate'] as const) {
    words[name] = cells[name].toLowerCase();
    if (words[name] !== '' && !isCounted(name, words[name])) return notCounted(name);
  }
  const sub = cells.sub.toLowerCase().replace(/^(?!sub[1-4]=)(?=.)/, 'sub1=');
  if (words.source === '') return 'The source is missing. Visits without one have "direct".';
  if (sub !== '' && !isCounted('sub', sub.slice('sub1='.length))) return notCounted('sub');
  if (survey !== '' && !surveys.includes(survey)) return 'There is no survey with this path.';
  const names: Names = {
    source: words.source === 'direct' ? '' : words.source,
    ...(words.campaign && { campaign: words.campaign }),
    ...(words.affiliate && { affiliate: words.affiliate }),
    ...(sub && { sub }),
    ...(survey && { survey }),
  };
  return { day, names, cents, row: hash('sha256', JSON.stringify([day, names])) };
}

/** SQL: the visits that share the cost of a row. */
const matching = (row: string) => `
  select lead_id, began_at from visit_summaries v
  where began_at >= (${row}.day::date::timestamp at time zone ${row}.zone)
    and began_at < ((${row}.day::date + 1)::timestamp at time zone ${row}.zone)
    and not is_test and not is_unauthorized and lead_state is distinct from 'erased'
    and source = ${row}.names->>'source' and campaign = coalesce(${row}.names->>'campaign', campaign)
    and affiliate = coalesce(${row}.names->>'affiliate', affiliate)
    and survey = coalesce(${row}.names->>'survey', survey)
    and (${row}.names->>'sub' is null or ${row}.names->>'sub' = any(sub_ids))`;

/** SQL: what earlier imports of rows said, and how many visits share them. */
const KNOWN = `
select given.row, coalesce(-known.amount, 0)::text as before, matching.visits
from jsonb_to_recordset($1::jsonb) as given(row text, day text, zone text, names jsonb)
left join lateral (
  select sum(amount) as amount from money_entries m where source = 'import' and about->>'row' = given.row
) as known on true
cross join lateral (select count(*)::integer as visits from (${matching('given')}) as v) as matching`;

async function readKnown(client: Queryable, rows: readonly CostRow[], timeZone: string) {
  const { rows: known } = await client.query<{ row: string; before: string; visits: number }>(
    KNOWN,
    [JSON.stringify(rows.map((row) => ({ ...row, zone: timeZone })))],
  );
  return new Map(known.map((each) => [each.row, each]));
}

/**
 * SQL: adds the difference between a row's cost and its earlier imports, in ten-thousandths of a
 * dollar that the matching visits share; the first visits get one more. The number of earlier
 * entries makes the keys, so that the same difference is never added twice.
 */
const ADD = `
with given as (
  select given.*, known.earlier, abs(given.cents * 100 - known.units) as units, sign((given.cents * 100 - known.units)::numeric) as sign
  from (
    select $1::text as row, $2::text as day, $3::text as zone, $4::jsonb as names, $5::bigint as cents
  ) as given
  cross join lateral (
    select count(*) as earlier, coalesce(-sum(amount) * 10000, 0)::bigint as units
    from money_entries m where source = 'import' and about->>'row' = given.row
  ) as known
), share as (
  select lead_id, began_at as at, given.*, count(*) over () as sharers, row_number() over (order by lead_id) as place
  from given cross join lateral (${matching('given')}) as v
), entry as (
  select lead_id, at, row, earlier, sign * (units / sharers + (place <= units % sharers)::integer) as amount,
    jsonb_build_object('row', row) as about
  from share
  union all
  select null, (day::date::timestamp + interval '12 hours') at time zone zone, row, earlier, sign * units,
    names || jsonb_build_object('row', row)
  from given where not exists (select 1 from share)
)
insert into money_entries (id, key, kind, amount, currency, at, lead_id, about, source, actor)
select gen_random_uuid(), concat_ws(' ', 'import', row, earlier, coalesce(lead_id::text, 'day')), 'cost',
  -amount / 10000.0, 'USD', at, lead_id, about, 'import', $6
from entry where amount <> 0
on conflict (key) do nothing`;

/** Adds a row in a transaction of its own. Two imports at the same time wait for each other. */
async function addRow(pool: pg.Pool, row: CostRow, { timeZone, actor }: CostImportOptions) {
  await inTransaction(pool, async (client) => {
    await client.query('select 1 from counting where id = 1 for update');
    const { row: id, day, names, cents } = row;
    await client.query(ADD, [id, day, timeZone, JSON.stringify(names), cents, actor]);
  });
}
