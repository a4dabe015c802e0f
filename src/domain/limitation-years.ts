import type { AccidentAge } from './accident-age.ts';
import { addDays, type CalendarDate, daysBetween, monthsBetween } from './dates.ts';
import { MONTHS_PER_LIMIT_YEAR } from './thresholds.ts';

/** Which of a row's two values a rule uses: as coded in the brief, or as the law stands. */
export type LimitationChoice = 'coded' | 'present';

/**
 * In the order of docs/specification.md#statute-of-limitations: years, then the postal codes of the
 * states.
 */
export const codedLimits: readonly (readonly [years: number, codes: string])[] = [
  [1, 'KY LA TN'],
  [2, 'AL AK AZ CA CT DE GA HI ID IL IN IA KS MN NV NJ OH OK OR PA TX VA WV'],
  [3, 'AR CO DC MD MA MI MS MT NH NM NY NC RI SC SD VT WA WI'],
  [4, 'FL NE UT WY'],
  [5, 'MO'],
  [6, 'ME ND'],
];

/** The same years by postal code. */
const codedYears: ReadonlyMap<string, number> = new Map(
  codedLimits.flatMap(([years, codes]) => codes.split(' ').map((code) => [code, years] as const)),
);

/**
 * Years to file as the law stands, where it has moved since
 * (docs/specification.md#statute-of-limitations).
 */
export type PresentLimit = {
  readonly years: number;
  /** First day of accidents that it applies to; absent where it has applied throughout. */
  readonly since?: CalendarDate;
};

/** The present law by postal code; its sources are in `limitation.ts`. */
export const presentLimits: Readonly<Record<string, PresentLimit>> = {
  FL: { years: 2, since: { year: 2023, month: 3, day: 24 } },
  LA: { years: 2, since: { year: 2024, month: 7, day: 2 } },
  KY: { years: 2 },
  MN: { years: 6 },
};

/**
 * Years to file in a state, or undefined for a code that is not in the table. `present` gives the
 * present law's value for accidents that it applies to, and for a missing `incident`; an accident
 * from before it keeps the coded value.
 */
export function limitYears(
  code: string,
  which: LimitationChoice,
  incident?: CalendarDate,
): number | undefined {
  const state = code.trim().toUpperCase();
  const coded = codedYears.get(state);
  const newer = which === 'present' ? presentLimits[state] : undefined;
  if (!newer) return coded;
  const isOlderAccident = incident && newer.since && daysBetween(newer.since, incident) < 0;
  return isOlderAccident ? coded : newer.years;
}

/**
 * Whether an accident is over its state's limit: strictly more whole months than 12 times the years
 * (docs/specification.md#statute-of-limitations). Undefined when the state is not known or not in the
 * table.
 */
export function isOverLimit(input: {
  readonly state: string;
  readonly monthsElapsed: number;
  readonly which: LimitationChoice;
  readonly incident?: CalendarDate;
}): boolean | undefined {
  const years = limitYears(input.state, input.which, input.incident);
  return years === undefined ? undefined : input.monthsElapsed > years * MONTHS_PER_LIMIT_YEAR;
}

/**
 * Returns whether an accident of this age is over its state's limit, whichever date of the age it had;
 * undefined when the state is not in the table. Older accidents are over it where younger ones are, but
 * for a law that changed on the way: then the last accident of the old law counts as well.
 */
export function isOverLimitAtAge(input: {
  readonly state: string;
  readonly age: AccidentAge;
  readonly which: LimitationChoice;
  readonly today: CalendarDate;
}): boolean | undefined {
  const { age, today, ...law } = input;
  const isOverAt = (days: number, monthsElapsed: number) =>
    isOverLimit({ ...law, monthsElapsed, incident: addDays(today, -days) });
  const isOver = isOverAt(age.days[0], age.months[0]);
  const change = presentLimits[law.state]?.since;
  if (!isOver || !change || law.which === 'coded') return isOver;
  const lastOfOldLaw = addDays(change, -1);
  const days = daysBetween(lastOfOldLaw, today);
  return days > age.days[0] && days <= age.days[1]
    ? isOverAt(days, monthsBetween(lastOfOldLaw, today))
    : isOver;
}
