import {
  accidentDays,
  accidentMonths,
  accidentYears,
  dayOptions,
  monthOptions,
} from './date-options.ts';
import { ScreenForm, SelectField, TextField } from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

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

/** The date of birth, in the language's order. */
export function DateOfBirthScreen(screen: ScreenProps) {
  const { texts, values } = screen;
  const { choose } = texts.controls;
  const month = (
    <SelectField
      name="date_of_birth_month"
      screen={screen}
      options={monthOptions(texts.months)}
      empty={choose}
      autoComplete="bday-month"
      key="month"
    />
  );
  const days = dayOptions(values.date_of_birth_month ?? '', values.date_of_birth_year ?? '');
  const day = (
    <SelectField
      name="date_of_birth_day"
      screen={screen}
      options={days}
      empty={choose}
      autoComplete="bday-day"
      key={days.length}
    />
  );
  return (
    <ScreenForm screen={screen}>
      <div className="fields fields--date">
        {texts.language === 'es' ? [day, month] : [month, day]}
        <TextField name="date_of_birth_year" screen={screen} last />
      </div>
    </ScreenForm>
  );
}
