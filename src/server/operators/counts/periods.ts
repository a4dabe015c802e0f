/** Whole-day periods in the operators' time zone, and totals within them. */
import type { Period, Totals } from '../../../contract/console/numbers.ts';
import { OperatorError } from '../operator-error.ts';
import { totalColumns } from './hours.ts';

/** The longest period: a year, with its leap day. */
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

/** Returns the period. @throws OperatorError if its days are no days, in the wrong order, or too many */
export function checkPeriod({ from, to }: Period): Period {
  const days = lengthOf({ from, to });
  if (!(days >= 1 && days <= MOST_DAYS)) {
    throw new OperatorError(
      'usage',
      `The period needs two days such as 2026-07-01, in their order, and at most ${MOST_DAYS} days between them.`,
    );
  }
  return { from, to };
}

/** Returns the period of the same length that ends before this one begins. */
export function periodBefore({ from, to }: Period): Period {
  const length = dayMs(to) - dayMs(from) + DAY_MS;
  return { from: dayText(dayMs(from) - length), to: dayText(dayMs(from) - DAY_MS) };
}

/** Returns the number of days of a period. */
export function lengthOf({ from, to }: Period): number {
  return (dayMs(to) - dayMs(from)) / DAY_MS + 1;
}

function dayMs(day: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) || dayText(ms) !== day ? Number.NaN : ms;
}

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Returns SQL for the midnight at which a day begins. The parameters are a day and a time zone. */
export function midnight(day: string, zone: string, daysLater = 0): string {
  return `((${day}::date + ${daysLater})::timestamp at time zone ${zone}::text)`;
}

/** Returns SQL for the moment of an earlier period that the present one has reached. The parameter is its days. */
export function untilNow(days: string): string {
  return `(now() - ${days}::integer * interval '1 day')`;
}

/** SQL: the sums of all totals, as integers. */
export const TOTALS = totalColumns
  .map((name) => `coalesce(sum(${name}), 0)::integer as ${name}`)
  .join(', ');

export type TotalsRow = Readonly<Record<(typeof totalColumns)[number], number>>;

/** Returns the totals of a row. */
export function totalsOf(row: TotalsRow): Totals {
  const { visits, completed, accepted, held, qualified, delivered, rejected, refusals } = row;
  const { first_answers: firstAnswers, page_errors: pageErrors } = row;
  return {
    ...{ visits, firstAnswers, completed, accepted, held },
    ...{ qualified, delivered, rejected, refusals, pageErrors },
  };
}

export const noTotals: Totals = {
  ...{ visits: 0, firstAnswers: 0, completed: 0, accepted: 0, held: 0 },
  ...{ qualified: 0, delivered: 0, rejected: 0, refusals: 0, pageErrors: 0 },
};

/** Adds totals. */
export function sumTotals(all: readonly Totals[]): Totals {
  const sum = { ...noTotals };
  for (const one of all) {
    for (const name of Object.keys(sum) as (keyof Totals)[]) sum[name] += one[name];
  }
  return sum;
}
