import type { Answers } from '../../domain/answers.ts';
import { type CalendarDate, daysInMonth } from '../../domain/dates.ts';
import { type Option, ScreenForm, SelectField } from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

/** The year list starts this many years before the present one. */
const ACCIDENT_YEARS_BACK = 15;

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Returns the months with their names. */
export function monthOptions(names: readonly string[]): Option[] {
  return names.map((label, index) => [twoDigits(index + 1), label]);
}

/** Returns the months to choose for the accident: none ahead in the chosen year. */
export function accidentMonths(
  { injury_year }: Answers,
  today: CalendarDate,
  names: readonly string[],
): Option[] {
  const isThisYear = Number(injury_year) === today.year;
  // Without a script, the style sheet hides what is ahead.
  return monthOptions(names)
    .slice(0, isThisYear ? today.month : 12)
    .map(([value, label], index) => [value, label, index >= today.month]);
}

/** Returns this year, unless the chosen month is ahead in it, and the years before it, newest first. */
export function accidentYears({ injury_month }: Answers, today: CalendarDate): Option[] {
  const first = today.year - Number(Number(injury_month) > today.month);
  return Array.from({ length: first - today.year + ACCIDENT_YEARS_BACK + 1 }, (_, back) => {
    const year = String(first - back);
    return [year, year];
  });
}

/**
 * Returns the existing days of the chosen month, without future days. An unknown month has 31 days, a February of an
 * unknown year 29.
 */
export function dayOptions(month: string, year: string, today?: CalendarDate): Option[] {
  const isThisMonth =
    today !== undefined && Number(month) === today.month && Number(year) === today.year;
  const count = isThisMonth ? today.day : daysInMonth(Number(year) || 2000, Number(month) || 1);
  return Array.from({ length: count }, (_, index) => [twoDigits(index + 1), String(index + 1)]);
}

/** Returns the days to choose for the accident. */
export function accidentDays(values: Answers, today: CalendarDate): Option[] {
  return dayOptions(values.injury_month ?? '', values.injury_year ?? '', today);
}

/** Month and year of the accident, and the day if the flow asks it. */
export function AccidentDateScreen(screen: ScreenProps) {
  const { texts, step, values, today } = screen;
  const { choose, dayUnknown } = texts.controls;
  const months = accidentMonths(values, today, texts.months);
  const years = accidentYears(values, today);
  const days = accidentDays(values, today);
  return (
    <ScreenForm screen={screen}>
      <div className="fields fields--date">
        <SelectField
          name="injury_month"
          screen={screen}
          options={months}
          empty={choose}
          key={`month${months.length}`}
        />
        <SelectField
          name="injury_year"
          screen={screen}
          options={years}
          empty={choose}
          key={`year${years.length}`}
        />
        {step.optional?.includes('injury_day') && (
          <SelectField
            name="injury_day"
            screen={screen}
            options={days}
            empty={dayUnknown}
            optional
            key={days.length}
          />
        )}
      </div>
    </ScreenForm>
  );
}
