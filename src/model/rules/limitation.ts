import type { Answers } from '../fields/answers.ts';
import { type CalendarDate, daysInMonth, formatIso } from '../fields/dates.ts';
import { incidentDate } from './accident-age.ts';
import { codedLimits, limitYears, type PresentLimit, presentLimits } from './limitation-years.ts';

/** The limitation period of a U.S. state, with the source in the law. */
export type LimitationRow = {
  readonly code: string;
  readonly name: string;
  readonly years: number;
  readonly present?: PresentLimit & { readonly source: string };
};

const names =
  'AK Alaska,AL Alabama,AR Arkansas,AZ Arizona,CA California,CO Colorado,CT Connecticut,' +
  'DC District of Columbia,DE Delaware,FL Florida,GA Georgia,HI Hawaii,IA Iowa,ID Idaho,' +
  'IL Illinois,IN Indiana,KS Kansas,KY Kentucky,LA Louisiana,MA Massachusetts,MD Maryland,' +
  'ME Maine,MI Michigan,MN Minnesota,MO Missouri,MS Mississippi,MT Montana,NC North Carolina,' +
  'ND North Dakota,NE Nebraska,NH New Hampshire,NJ New Jersey,NM New Mexico,NV Nevada,' +
  'NY New York,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,' +
  'SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VA Virginia,VT Vermont,' +
  'WA Washington,WI Wisconsin,WV West Virginia,WY Wyoming';

const nameByCode: ReadonlyMap<string, string> = new Map(
  names.split(',').map((state) => [state.slice(0, 2), state.slice(3)]),
);

/** The laws that give the present limits, by state code. */
const sources: Readonly<Record<string, string>> = {
  FL: 'HB 837 (2023)',
  LA: 'Act 423 (2024)',
  KY: 'KRS 304.39-230',
  MN: 'Minn. Stat. § 541.05',
};

/** The limitation periods of the 50 states and DC. */
export const limitationTable: readonly LimitationRow[] = codedLimits.flatMap(([years, codes]) =>
  codes.split(' ').map((code) => {
    const row = { code, name: nameByCode.get(code) ?? '', years };
    const present = presentLimits[code];
    return present ? { ...row, present: { ...present, source: sources[code] ?? '' } } : row;
  }),
);

/** Returns the years to sue under a state's present law. */
export function presentYears({ years, present }: LimitationRow): number {
  return present?.years ?? years;
}

/**
 * Returns the usual last day to sue under the present law. If the visitor knows only the month of
 * the accident, returns the possible last days, earliest first. Empty without a date.
 */
export function lastDaysToSue(state: string, answers: Answers): CalendarDate[] {
  const incident = incidentDate(answers);
  if (!incident) return [];
  const { year, month } = incident;
  const days = Array.from({ length: daysInMonth(year, month) }, (_, index) => index + 1);
  return days
    .filter((day) => day === incident.day || !isDayOfAccidentKnown(answers))
    .flatMap((day) => {
      const years = limitYears(state, 'present', { year, month, day });
      if (years === undefined) return [];
      const last = { year: year + years, month };
      // The year of the last day may have no February 29.
      return { ...last, day: Math.min(day, daysInMonth(last.year, month)) };
    })
    .sort((one, other) => formatIso(one).localeCompare(formatIso(other)));
}

/** Returns whether the visitor gave the day of the accident, not only its month. */
export function isDayOfAccidentKnown(answers: Answers): boolean {
  return answers.injury_month === undefined || answers.injury_day !== undefined;
}
