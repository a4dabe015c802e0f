/** Reads the totals of a period and of the one before, and their breakdown by a dimension. */
import {
  type BreakdownAnswer,
  type Dimension,
  dimensions,
  type OverviewAnswer,
  type Period,
  type Totals,
} from '../../../contract/console/numbers.ts';
import type { Queryable } from '../../storage/database.ts';
import { OperatorError } from '../operator-error.ts';
import { surveyDimensions } from './hours.ts';
import {
  checkPeriod,
  lengthOf,
  midnight,
  noTotals,
  periodBefore,
  sumTotals,
  TOTALS,
  type TotalsRow,
  totalsOf,
  untilNow,
} from './periods.ts';

type Asked = {
  readonly period: Period;
  /** The operators' time zone. Hours count to the day in which they begin. */
  readonly timeZone: string;
  /** A survey's path. Default: all surveys. */
  readonly survey?: string | undefined;
};

/** A part of the visits, such as those from one source. */
export type OverviewSegment = { readonly dimension: Dimension; readonly value: string };

// $1 first day, $2 last day, $3 time zone, $4 survey, $5 dimension, $6 value
// The hours are read once, and joined by their local day.
const DAYS = `
select to_char(day, 'YYYY-MM-DD') as at, ${TOTALS}
from generate_series($1::date::timestamp, $2::date::timestamp, interval '1 day') as day
left join (
  select *, (hour at time zone $3::text)::date as local_day from hourly_counts
  where dimension = $5 and survey = $4 and value = $6
    and hour >= ${midnight('$1', '$3')} and hour < ${midnight('$2', '$3', 1)}
) as counted on local_day = day::date
group by day order by day`;
const HOURS = `
select to_char(slot at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, ${TOTALS}
from generate_series(${midnight('$1', '$3')}, ${midnight('$2', '$3', 1)} - interval '1 second', interval '1 hour') as slot
left join hourly_counts on dimension = $5 and survey = $4 and value = $6
  and hour >= slot and hour < slot + interval '1 hour'
group by slot order by slot`;

type AskedOverview = Asked & {
  /** Default: all visits. */
  readonly segment?: OverviewSegment | undefined;
};

type Slot = { readonly at: string; readonly totals: Totals };

async function readSeries(
  client: Queryable,
  { from, to }: Period,
  { timeZone, survey = '', segment }: AskedOverview,
): Promise<Slot[]> {
  const { dimension, value } = segment ?? { dimension: 'all', value: '' };
  const { rows } = await client.query<TotalsRow & { at: string }>(from === to ? HOURS : DAYS, [
    ...[from, to, timeZone, survey, dimension, value],
  ]);
  return rows.map((row) => ({ at: row.at, totals: totalsOf(row) }));
}

// $1 to $6 as above, of the period before; $7 its days. An hour counts if more than half of it had passed.
const BEFORE = `
select ${TOTALS}, ${untilNow('$7')} < ${midnight('$2', '$3', 1)} as is_ongoing
from hourly_counts
where dimension = $5 and survey = $4 and value = $6
  and hour >= ${midnight('$1', '$3')} and hour < ${midnight('$2', '$3', 1)}
  and hour + interval '30 minutes' < ${untilNow('$7')}`;

/**
 * Reads the totals of the period before, up to the moment that the present period has reached: a morning is
 * not compared with a whole day.
 */
async function readBefore(
  client: Queryable,
  before: Period,
  { timeZone, survey = '', segment }: AskedOverview,
): Promise<{ readonly totals: Totals; readonly isOngoing: boolean }> {
  const { dimension, value } = segment ?? { dimension: 'all', value: '' };
  const { rows } = await client.query<TotalsRow & { is_ongoing: boolean }>(BEFORE, [
    ...[before.from, before.to, timeZone, survey, dimension, value, lengthOf(before)],
  ]);
  const row = rows[0] as TotalsRow & { is_ongoing: boolean };
  return { totals: totalsOf(row), isOngoing: row.is_ongoing };
}

/** Returns until when the ledger is counted, ISO 8601; the epoch if nothing is counted yet. */
export async function readCountedUntil(client: Queryable): Promise<string> {
  const { rows } = await client.query<{ at: Date }>(
    `select coalesce(counted_until, 'epoch') as at from counting where id = 1`,
  );
  return (rows[0]?.at ?? new Date(0)).toISOString();
}

/**
 * Reads the overview of a period.
 * @throws OperatorError for an impossible period, and for a dimension that is not counted within a survey
 */
export async function readOverview(
  client: Queryable,
  asked: AskedOverview,
): Promise<OverviewAnswer> {
  if (asked.segment) checkDimension(asked.segment.dimension, asked.survey);
  const period = checkPeriod(asked.period);
  const before = periodBefore(period);
  const [series, seriesBefore, past, countedUntil] = await Promise.all([
    readSeries(client, period, asked),
    readSeries(client, before, asked),
    readBefore(client, before, asked),
    readCountedUntil(client),
  ]);
  const totals = sumTotals(series.map((slot) => slot.totals));
  const summary = overviewSummary(totals, { ...past, days: lengthOf(before) });
  return {
    ...{ period, before, totals, totalsBefore: past.totals },
    ...{ series, seriesBefore, countedUntil, summary },
  };
}

const number = (value: number) => value.toLocaleString('en-US').replaceAll(',', '\u202f');
const percent = (part: number, of: number) => `${Math.round((100 * part) / of)}\u202f%`;
const counted = (value: number, one: string, many: string) =>
  `${number(value)} ${value === 1 ? one : many}`;

/** The period before: what it has to compare with, and its length. */
type Past = { readonly totals: Totals; readonly isOngoing: boolean; readonly days: number };

/** Returns one or two sentences on a period. */
export function overviewSummary(totals: Totals, past: Past): string[] {
  const { totals: before, isOngoing, days } = past;
  if (totals.visits + totals.accepted === 0) return ['There were no visits in this period.'];
  const length = days === 1 ? 'day' : `${days} days`;
  const then = `${isOngoing ? 'by this time ' : ''}in the ${length} before`;
  const change = totals.visits - before.visits;
  const compared =
    before.visits === 0
      ? `; the ${length} before had none`
      : change === 0
        ? `, as many as ${then}`
        : `, ${percent(Math.abs(change), before.visits)} ${change > 0 ? 'more' : 'fewer'} than ${then}`;
  const was = before.visits === 0 ? '' : ` (before: ${percent(before.completed, before.visits)})`;
  const share =
    totals.visits === 0
      ? ''
      : `${percent(totals.completed, totals.visits)} of them were completed${was}; `;
  return [
    `${counted(totals.visits, 'visit', 'visits')} began${compared}.`,
    `${share}${counted(totals.accepted, 'lead was', 'leads were')} accepted, ${number(totals.held)} held and ${number(totals.delivered)} delivered.`.replace(
      /^./,
      (first) => first.toUpperCase(),
    ),
  ];
}

function checkDimension(dimension: Dimension, survey = ''): void {
  const counted: readonly string[] = survey === '' ? dimensions : surveyDimensions;
  if (counted.includes(dimension)) return;
  throw new OperatorError('usage', `Visits of one survey are not counted by ${dimension}.`);
}

const MOST_ROWS = 200;

// $1 dimension, $2 survey, $3 first day before, $4 first day, $5 last day, $6 time zone, $7 days of a period
const BREAKDOWN = `
select value, hour >= ${midnight('$4', '$6')} as is_now, ${TOTALS}
from hourly_counts
where dimension = $1 and survey = $2 and hour >= ${midnight('$3', '$6')} and hour < ${midnight('$5', '$6', 1)}
  and (hour >= ${midnight('$4', '$6')} or hour + interval '30 minutes' < ${untilNow('$7')})
group by 1, 2`;

/**
 * Reads a period's totals by the values of a dimension, the most visits first.
 * @throws OperatorError for an impossible period, and for a dimension that is not counted within a survey
 */
export async function readBreakdown(
  client: Queryable,
  asked: Asked & { readonly dimension: Dimension },
): Promise<BreakdownAnswer> {
  const { dimension, timeZone, survey = '' } = asked;
  checkDimension(dimension, survey);
  const { from, to } = checkPeriod(asked.period);
  const { rows } = await client.query<TotalsRow & { value: string; is_now: boolean }>(BREAKDOWN, [
    ...[
      dimension,
      survey,
      periodBefore({ from, to }).from,
      from,
      to,
      timeZone,
      lengthOf({ from, to }),
    ],
  ]);
  const byValue = new Map<string, { totals: Totals; before: Totals }>();
  for (const row of rows) {
    const known = byValue.get(row.value) ?? { totals: noTotals, before: noTotals };
    byValue.set(row.value, { ...known, [row.is_now ? 'totals' : 'before']: totalsOf(row) });
  }
  const all = [...byValue].map(([value, each]) => ({ value, ...each }));
  all.sort(
    (a, b) =>
      b.totals.visits - a.totals.visits ||
      b.before.visits - a.before.visits ||
      (a.value < b.value ? -1 : 1),
  );
  return { dimension, rows: all.slice(0, MOST_ROWS) };
}
