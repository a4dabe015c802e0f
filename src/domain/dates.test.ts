import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  type CalendarDate,
  calendarDate,
  daysBetween,
  daysInMonth,
  formatIso,
  formatUs,
  incidentDate,
  isRealDate,
  monthsBetween,
  parseIso,
  parseUs,
  postedIncidentDate,
} from './dates.ts';

const DAY_MS = 86_400_000;

const iso = (text: string): CalendarDate => {
  const [year, month, day] = text.split('-').map(Number);
  return { year: year!, month: month!, day: day! };
};

/** Independent oracle: the platform's proleptic Gregorian calendar in UTC. */
const utcMs = ({ year, month, day }: CalendarDate): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
};
const fromUtc = (ms: number): CalendarDate => {
  const date = new Date(ms);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};

const anyDate = fc
  .integer({ min: utcMs(iso('0001-01-01')) / DAY_MS, max: utcMs(iso('9999-12-31')) / DAY_MS })
  .map((days) => fromUtc(days * DAY_MS));
const nearDate = fc
  .integer({ min: utcMs(iso('1995-01-01')) / DAY_MS, max: utcMs(iso('2035-12-31')) / DAY_MS })
  .map((days) => fromUtc(days * DAY_MS));

describe('daysBetween and addDays', () => {
  it('addDays is the inverse of daysBetween', () => {
    fc.assert(
      fc.property(nearDate, fc.integer({ min: -200_000, max: 200_000 }), (date, days) => {
        const moved = addDays(date, days);
        expect(moved).toEqual(fromUtc(utcMs(date) + days * DAY_MS));
        expect(daysBetween(date, moved)).toBe(days);
      }),
    );
  });
});

describe('monthsBetween', () => {
  it.each([
    ['2025-01-31', '2025-02-27', 0],
    ['2025-01-31', '2025-02-28', 1],
    ['2025-01-31', '2025-03-30', 1],
    ['2025-01-31', '2025-03-31', 2],
    ['2024-02-29', '2025-02-27', 11],
    ['2024-02-29', '2025-02-28', 12],
    ['2024-02-29', '2028-02-28', 47],
    ['2024-02-29', '2028-02-29', 48],
    ['2024-02-28', '2024-03-28', 1],
    ['2023-06-15', '2025-06-15', 24],
    ['2023-06-15', '2025-07-14', 24],
    ['2023-06-15', '2025-07-15', 25],
    ['2025-12-31', '2026-01-01', 0],
    ['2025-06-15', '2025-06-15', 0],
    ['2025-03-01', '2025-01-31', -1],
  ])('from %s to %s', (from, to, months) => {
    expect(monthsBetween(iso(from), iso(to))).toBe(months);
  });
});

describe('calendarDate', () => {
  it.each([
    ['2025-03-31T23:59:59.999Z', 'UTC', '2025-03-31'],
    ['2025-04-01T03:59:59.999Z', 'America/New_York', '2025-03-31'],
    ['2025-04-01T04:00:00.000Z', 'America/New_York', '2025-04-01'],
    ['2025-03-09T06:59:59.999Z', 'America/New_York', '2025-03-09'], // last instant before the clocks change
    ['2025-11-02T05:30:00.000Z', 'America/New_York', '2025-11-02'], // the hour that happens twice
    ['2024-03-01T07:59:59.999Z', 'America/Los_Angeles', '2024-02-29'],
    ['2025-12-31T23:59:59.999Z', 'Pacific/Auckland', '2026-01-01'],
  ])('%s in %s is %s', (now, timeZone, expected) => {
    expect(formatIso(calendarDate(new Date(now), timeZone))).toBe(expected);
  });
});

describe('parsing and formatting dates', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        expect(isRealDate(date)).toBe(true);
        expect(parseIso(formatIso(date))).toEqual(date);
        expect(parseUs(formatUs(date))).toEqual(date);
      }),
    );
  });

  it('agrees with the platform calendar on which days exist', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: -1, max: 14 }),
        fc.integer({ min: -1, max: 33 }),
        (year, month, day) => {
          const candidate = { year, month, day };
          const back = fromUtc(utcMs(candidate));
          const exists = back.year === year && back.month === month && back.day === day;
          expect(isRealDate(candidate)).toBe(exists);
        },
      ),
      { numRuns: 500 },
    );
    expect(isRealDate({ year: 2025, month: 1.5, day: 1 })).toBe(false);
    expect(isRealDate({ year: Number.NaN, month: 1, day: 1 })).toBe(false);
    expect(daysInMonth(1900, 2)).toBe(28);
    expect(daysInMonth(2000, 2)).toBe(29);
  });

  it.each(['2025-2-01', '2025-02-30', '02/30/2025', '', '2025-02-01T00:00'])(
    'refuses %j',
    (text) => {
      expect(parseIso(text)).toBeUndefined();
      expect(parseUs(text)).toBeUndefined();
    },
  );
});

describe('incidentDate', () => {
  it('uses the day if it exists, else the first', () => {
    const base = { injury_year: '2025', injury_month: '02' };
    expect(incidentDate(base)).toEqual(iso('2025-02-01'));
    expect(incidentDate({ ...base, injury_day: '17' })).toEqual(iso('2025-02-17'));
    expect(incidentDate({ ...base, injury_day: '30' })).toEqual(iso('2025-02-01'));
    expect(incidentDate({ ...base, injury_day: 'x' })).toEqual(iso('2025-02-01'));
  });

  it('is undefined without month and year', () => {
    expect(incidentDate({})).toBeUndefined();
    expect(incidentDate({ injury_year: '2025' })).toBeUndefined();
    expect(incidentDate({ injury_year: '0', injury_month: '02' })).toBeUndefined();
    expect(incidentDate({ injury_year: '2025', injury_month: '13' })).toBeUndefined();
  });

  it('falls back to date_accident_occurred', () => {
    expect(incidentDate({ date_accident_occurred: '02/29/2024' })).toEqual(iso('2024-02-29'));
    expect(incidentDate({ date_accident_occurred: '02/29/2023' })).toBeUndefined();
  });

  it('is always posted as the first of its month', () => {
    const answers = { injury_year: '2025', injury_month: '2', injury_day: '17' };
    expect(postedIncidentDate(answers)).toBe('2025-02-01');
    expect(postedIncidentDate({})).toBeUndefined();
  });
});
