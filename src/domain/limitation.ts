import { type CalendarDate, daysBetween } from './dates.ts';
import { MONTHS_PER_LIMIT_YEAR } from './thresholds.ts';

/** Which of a row's two values a rule uses: as coded in document 1, or as the law stands. */
export type LimitationChoice = 'coded' | 'present';

/** The present law of a state whose coded value has been overtaken. */
export type PresentLimit = {
  /** Years to file. */
  readonly years: number;
  /** First day of accidents that it applies to; absent where it has applied throughout. */
  readonly since?: CalendarDate;
  /** The act or statute. */
  readonly source: string;
};

/** One row of the limitation table. `code` is the two-letter postal code, `years` as coded. */
export type LimitationRow = {
  readonly code: string;
  readonly name: string;
  readonly years: number;
  readonly present?: PresentLimit;
};

/** Document 1, section 9, in that order: years, then `code name` of each state. */
const coded: readonly (readonly [years: number, states: string])[] = [
  [1, 'KY Kentucky,LA Louisiana,TN Tennessee'],
  [
    2,
    'AL Alabama,AK Alaska,AZ Arizona,CA California,CT Connecticut,DE Delaware,GA Georgia,HI Hawaii,' +
      'ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,MN Minnesota,NV Nevada,NJ New Jersey,' +
      'OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,TX Texas,VA Virginia,WV West Virginia',
  ],
  [
    3,
    'AR Arkansas,CO Colorado,DC District of Columbia,MD Maryland,MA Massachusetts,MI Michigan,' +
      'MS Mississippi,MT Montana,NH New Hampshire,NM New Mexico,NY New York,NC North Carolina,' +
      'RI Rhode Island,SC South Carolina,SD South Dakota,VT Vermont,WA Washington,WI Wisconsin',
  ],
  [4, 'FL Florida,NE Nebraska,UT Utah,WY Wyoming'],
  [5, 'MO Missouri'],
  [6, 'ME Maine,ND North Dakota'],
];

/** Where the law has moved since (readings, "Answers and rules"). */
const present: Readonly<Record<string, PresentLimit>> = {
  FL: {
    years: 2,
    since: { year: 2023, month: 3, day: 24 },
    source: 'HB 837 (2023), claims from 2023-03-24',
  },
  LA: {
    years: 2,
    since: { year: 2024, month: 7, day: 2 },
    source: 'Act 423 (2024), torts after 2024-07-01',
  },
  KY: { years: 2, source: 'KRS 304.39-230, motor-vehicle claims' },
  MN: { years: 6, source: 'Minn. Stat. 541.05, negligence' },
};

/** The fifty states and DC with their statutes of limitations (document 1, sections 3 and 9). */
export const limitationTable: readonly LimitationRow[] = coded.flatMap(([years, states]) =>
  states.split(',').map((state) => {
    const code = state.slice(0, 2);
    const row = { code, name: state.slice(3), years };
    return present[code] ? { ...row, present: present[code] } : row;
  }),
);

const byCode: ReadonlyMap<string, LimitationRow> = new Map(
  limitationTable.map((row) => [row.code, row]),
);

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
  const row = byCode.get(code.trim().toUpperCase());
  const newer = which === 'present' ? row?.present : undefined;
  if (!newer) return row?.years;
  const isOlderAccident = incident && newer.since && daysBetween(newer.since, incident) < 0;
  return isOlderAccident ? row?.years : newer.years;
}

/**
 * Whether an accident is over its state's limit: strictly more whole months than 12 times the years
 * (readings). Undefined when the state is not known or not in the table.
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
