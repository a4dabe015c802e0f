import { expect, test } from 'vitest';
import { today } from '../test-support/survey-fixture.ts';
import { accidentMonths, accidentYears } from './date-options.ts';

const names = Array.from({ length: 12 }, (_, index) => `m${index + 1}`);

test.each([
  [{}, 12, '2026'],
  [{ injury_year: '2026' }, 11, '2026'],
  [{ injury_year: '2025' }, 12, '2026'],
  [{ injury_month: '12' }, 12, '2025'],
  [{ injury_month: '11' }, 12, '2026'],
])('offers no month ahead after %o: %i months, years from %s to 2011', (values, months, newest) => {
  const years = accidentYears(values, today).map(([value]) => value);
  expect([years[0], years.at(-1)]).toEqual([newest, '2011']);
  const offered = accidentMonths(values, today, names);
  expect(offered).toHaveLength(months);
  // Where no script runs, the style sheet hides these.
  expect(offered.filter(([, , ahead]) => ahead).map(([value]) => value)).toEqual(
    months === 12 ? ['12'] : [],
  );
});
