import { accidentDays, accidentMonths, accidentYears } from './date-options.ts';
import { ScreenForm, SelectField } from './field.tsx';
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
