/** Whole-day periods in the operators' time zone, and totals within them. */
import { type Period, type Totals, totalNames } from '../../../model/messages/console/numbers.ts';
import { usage } from '../../platform/operator-error.ts';
import { columnOf } from './hours.ts';

/** The longest period: a year, with its leap day. */
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

/** Returns the period. @throws OperatorError if a date is invalid, they are in the wrong order, or too many days */
export function checkPeriod({ from, to }: Period): Period {
  const days = lengthOf({ from, to });
  if (!(days >= 1 && days <= MOST_DAYS)) {
    throw usage(
      `The period needs two days such as 2026-07-01, in their order, and at most ${MOST_DAYS} days between them.`,
    );
  }
  return { from, to };
}

/** Returns the period of the same length that ends before this one begins. */
export function periodBefore({ from, to }: Period): Period {
  const length = lengthOf({ from, to }) * DAY_MS;
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

/** SQL: the sums of all totals, as integers by their names. */
export const TOTALS = totalNames
  .map((name) => `coalesce(sum(${columnOf(name)}), 0)::integer as "${name}"`)
  .join(', ');

/** Returns the totals of a row. */
export function totalsOf(row?: Totals): Totals {
  return Object.fromEntries(totalNames.map((name) => [name, row?.[name] ?? 0])) as Totals;
}
