import { addDays, type CalendarDate, daysBetween, monthsBetween } from '../fields/dates.ts';
import { MONTHS_PER_LIMIT_YEAR } from '../fields/thresholds.ts';
import type { AccidentAge } from './accident-age.ts';

/** `coded` means the limits in the project's brief, `present` the limits of the present law. */
export type LimitationChoice = 'coded' | 'present';

/** The limits in the project's brief (docs/specification.md#statute-of-limitations). */
export const codedLimits: readonly (readonly [years: number, codes: string])[] = [
  [1, 'KY LA TN'],
  [2, 'AL AK AZ CA CT DE GA HI ID IL IN IA KS MN NV NJ OH OK OR PA TX VA WV'],
  [3, 'AR CO DC MD MA MI MS MT NH NM NY NC RI SC SD VT WA WI'],
  [4, 'FL NE UT WY'],
  [5, 'MO'],
  [6, 'ME ND'],
];

const codedYears: ReadonlyMap<string, number> = new Map(
  codedLimits.flatMap(([years, codes]) => codes.split(' ').map((code) => [code, years] as const)),
);

/** A present law that differs from the limit in the project's brief. */
export type PresentLimit = {
  readonly years: number;
  /** The law applies to accidents from this day on. */
  readonly since?: CalendarDate;
};

/** The present laws that differ from the limits in the project's brief, by state code. */
export const presentLimits: Readonly<Record<string, PresentLimit>> = {
  FL: { years: 2, since: { year: 2023, month: 3, day: 24 } },
  LA: { years: 2, since: { year: 2024, month: 7, day: 2 } },
  KY: { years: 2 },
  MN: { years: 6 },
};

/** Returns the number of years within which a claim must be filed. */
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

/** Returns whether a claim would be too late (docs/specification.md#statute-of-limitations). */
export function isOverLimit(input: {
  readonly state: string;
  readonly age: AccidentAge;
  readonly which: LimitationChoice;
  readonly today: CalendarDate;
}): boolean | undefined {
  const { state, age, which, today } = input;
  const isOverAt = (days: number, months: number) => {
    const years = limitYears(state, which, addDays(today, -days));
    return years === undefined ? undefined : months > years * MONTHS_PER_LIMIT_YEAR;
  };
  const isOver = isOverAt(age.days[0], age.months[0]);
  const change = presentLimits[state]?.since;
  if (!isOver || !change || which === 'coded') return isOver;
  const lastOfOldLaw = addDays(change, -1);
  const days = daysBetween(lastOfOldLaw, today);
  return days > age.days[0] && days <= age.days[1]
    ? isOverAt(days, monthsBetween(lastOfOldLaw, today))
    : isOver;
}
