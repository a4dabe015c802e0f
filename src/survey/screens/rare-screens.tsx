import { CallButton } from './call-button.tsx';
import { dayOptions, monthOptions } from './date-options.ts';
import { ScreenForm, SelectField, TextField } from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

/** A result screen: what the answers mean, in plain words, and the number to call. */
export function ResultScreen({ name, texts, answers, settings }: ScreenProps) {
  const given: Readonly<Record<string, string>> = answers;
  const notes = Object.entries(texts.steps[name]?.notes ?? {}).filter(([answer]) => {
    const [field = '', value] = answer.split('=');
    return given[field] === value;
  });
  return (
    <>
      {notes.length > 0 && (
        <ul className="notes">
          {notes.map(([answer, note]) => (
            <li key={answer}>{note}</li>
          ))}
        </ul>
      )}
      <CallButton texts={texts} settings={settings} />
    </>
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
