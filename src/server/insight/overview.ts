/** Reads the totals of a period and of the period before. */
import {
  addDays,
  type CalendarDate,
  daysBetween,
  formatIso,
  parseIso,
} from '../../model/fields/dates.ts';
import type { Segment } from '../../model/messages/console/leads-behind.ts';
import {
  type BreakdownAnswer,
  type BreakdownRow,
  type Dimension,
  dimensions,
  type Money,
  moneyNames,
  type OverviewAnswer,
  type Period,
  type Totals,
  totalNames,
} from '../../model/messages/console/numbers.ts';
import { readBuyerNames } from '../delivery/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import { usage } from '../platform/operator-error.ts';
import { midnight } from '../platform/time-format.ts';
import { columnOf, surveyDimensions } from './count-hour.ts';

/** Maximum number of days of a period: a leap year. */
export const MOST_DAYS = 366;

/** Returns a valid period. @throws OperatorError if the period is invalid or too long */
export function checkPeriod({ from, to }: Period): Period {
  const days = lengthOf({ from, to });
  if (!(days >= 1 && days <= MOST_DAYS)) {
    throw usage(
      `The period needs two days such as 2026-07-01, in their order, and at most ${MOST_DAYS} days between them.`,
    );
  }
  return { from, to };
}

/** Returns the period of the same length that ends just before this period begins. */
export function periodBefore(period: Period): Period {
  const first = parseIso(period.from) as CalendarDate;
  const from = formatIso(addDays(first, -lengthOf(period)));
  return { from, to: formatIso(addDays(first, -1)) };
}

/** Returns the number of days of a period; NaN if a date is invalid. */
function lengthOf({ from, to }: Period): number {
  const [first, last] = [parseIso(from), parseIso(to)];
  return first && last ? daysBetween(first, last) + 1 : Number.NaN;
}

/** SQL for the sums of money, rounded once to cents. */
export const MONEY = moneyNames
  .map((name) => {
    const amount = name === 'margin' ? 'revenue - cost' : name;
    return `round(coalesce(sum(${amount}), 0), 2)::float8 as "${name}"`;
  })
  .join(', ');

/** SQL for the sums of all totals: integers, and money. */
export const TOTALS = [
  ...totalNames.map((name) => `coalesce(sum(${columnOf(name)}), 0)::integer as "${name}"`),
  MONEY,
].join(', ');

function filled<Name extends string>(names: readonly Name[], row?: Readonly<Record<Name, number>>) {
  return Object.fromEntries(names.map((name) => [name, row?.[name] ?? 0])) as Record<Name, number>;
}

/** Returns the money in a row of the database. Without a row, all is zero. */
export const moneyOf = (row?: Money): Money => filled(moneyNames, row);

/** Returns the totals in a row of the database. Without a row, all totals are zero. */
export const totalsOf = (row?: Totals): Totals => filled([...totalNames, ...moneyNames], row);

type Asked = {
  readonly period: Period;
  readonly timeZone: string;
  /** A survey's path. Default: all surveys. */
  readonly survey?: string | undefined;
};

/** SQL: reads the totals for each hour or day of a period. */
const SERIES = `
select case when $7 = '1 day' then to_char(slot at time zone $3, 'YYYY-MM-DD')
    else to_char(slot at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end as at, ${TOTALS}
from generate_series(${midnight('$1', '$3')}, ${midnight('$2', '$3', 1)} - interval '1 second',
  $7::text::interval, $3::text) as slot
left join hourly_counts on dimension = $5 and survey = $4 and value = $6
  and hour >= slot and hour < date_add(slot, $7::text::interval, $3)
group by slot order by slot`;

/** SQL: reads the totals of a period, and the totals of the period before it. */
const COMPARED = `
select value, hour >= ${midnight('$2', '$4')} as "isNow", ${TOTALS}
from hourly_counts
where dimension = $7 and survey = $6 and ($8::text is null or value = $8)
  and hour >= ${midnight('$1', '$4')} and hour < ${midnight('$3', '$4', 1)}
  and (hour >= ${midnight('$2', '$4')}
    or hour + interval '30 minutes' < now() - $5::integer * interval '1 day')
group by 1, 2`;

type ComparedRow = Totals & { readonly value: string; readonly isNow: boolean };

async function readCompared(
  client: Queryable,
  { period, timeZone, survey = '' }: Asked,
  dimension: Dimension | 'all',
  value: string | null,
): Promise<BreakdownRow[]> {
  const { from, to } = period;
  const { rows } = await client.query<ComparedRow>(COMPARED, [
    ...[periodBefore(period).from, from, to, timeZone, lengthOf(period), survey, dimension, value],
  ]);
  return [...Map.groupBy(rows, (row) => row.value)].map(([value, own]) => ({
    value,
    totals: totalsOf(own.find(({ isNow }) => isNow)),
    before: totalsOf(own.find(({ isNow }) => !isNow)),
  }));
}

/** Returns the time up to which the ledger is counted; null if nothing was counted yet. */
export async function countedUntil(client: Queryable): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    'select counted_until as at from counting where id = 1',
  );
  return rows[0]?.at ?? null;
}

/** Reads the overview of a period. @throws OperatorError if the period is invalid */
export async function readOverview(
  client: Queryable,
  asked: Asked & { readonly segment?: Segment | undefined },
): Promise<OverviewAnswer> {
  if (asked.segment) checkDimension(asked.segment.dimension, asked.survey);
  const { dimension, value } = asked.segment ?? { dimension: 'all', value: '' };
  const period = checkPeriod(asked.period);
  const before = periodBefore(period);
  const readSeries = async ({ from, to }: Period) => {
    const { rows } = await client.query<Totals & { at: string }>(SERIES, [
      ...[from, to, asked.timeZone, asked.survey ?? '', dimension, value],
      from === to ? '1 hour' : '1 day',
    ]);
    return rows.map((row) => ({ at: row.at, totals: totalsOf(row) }));
  };
  const [series, seriesBefore, [compared], counted] = await Promise.all([
    readSeries(period),
    readSeries(before),
    readCompared(client, asked, dimension, value),
    countedUntil(client),
  ]);
  const totals = compared?.totals ?? totalsOf();
  const totalsBefore = compared?.before ?? totalsOf();
  const until = (counted ?? new Date(0)).toISOString();
  return { period, before, totals, totalsBefore, series, seriesBefore, countedUntil: until };
}

function checkDimension(dimension: Dimension, survey = ''): void {
  const counted: readonly string[] = survey === '' ? dimensions : surveyDimensions;
  if (counted.includes(dimension)) return;
  throw usage(`Visits of one survey are not counted by ${dimension}.`);
}

const MOST_ROWS = 200;

/** Reads a period's totals for each value of a dimension. @throws OperatorError */
export async function readBreakdown(
  client: Queryable,
  asked: Asked & { readonly dimension: Dimension },
): Promise<BreakdownAnswer> {
  const { dimension } = asked;
  checkDimension(dimension, asked.survey);
  checkPeriod(asked.period);
  const rows = await readCompared(client, asked, dimension, null);
  rows.sort(
    (a, b) =>
      b.totals.visits - a.totals.visits ||
      b.before.visits - a.before.visits ||
      (a.value < b.value ? -1 : 1),
  );
  const names = dimension === 'buyer' ? await readBuyerNames(client) : undefined;
  const named = rows.slice(0, MOST_ROWS).map((row) => {
    const label = names?.get(row.value);
    return label === undefined ? row : { ...row, label };
  });
  return { dimension, rows: named };
}
