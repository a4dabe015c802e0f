import type { Answers, AskedFieldName } from '../../../model/fields/answers.ts';
import { type CalendarDate, daysInMonth } from '../../../model/fields/dates.ts';
import { buttonOf, impliedBy, inputFields } from '../../../model/flows/engine/flow.ts';
import { closedState } from '../../../model/visit/closed-state.ts';
import { isToggled } from '../../../model/visit/form-values.ts';
import {
  FieldFrame,
  type FieldProps,
  inputProps,
  type Option,
  ScreenForm,
  SelectField,
  TextField,
  ToggleField,
} from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

const ACCIDENT_YEARS_BACK = 15;

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

export function monthOptions(names: readonly string[]): Option[] {
  return names.map((label, index) => [twoDigits(index + 1), label]);
}

/** Returns the options for the accident's month. Omits future months of this year. */
export function accidentMonths(
  { injury_year }: Answers,
  today: CalendarDate,
  names: readonly string[],
): Option[] {
  const isThisYear = Number(injury_year) === today.year;
  // Without JavaScript, the style sheet hides the options that are marked as future months.
  return monthOptions(names)
    .slice(0, isThisYear ? today.month : 12)
    .map(([value, label], index) => [value, label, index >= today.month]);
}

/** Returns the accident's years, newest first. Omits this year if the month is in the future. */
export function accidentYears({ injury_month }: Answers, today: CalendarDate): Option[] {
  const first = today.year - Number(Number(injury_month) > today.month);
  return Array.from({ length: first - today.year + ACCIDENT_YEARS_BACK + 1 }, (_, back) => {
    const year = String(first - back);
    return [year, year];
  });
}

/** Returns the days of the chosen month, without future days. */
export function dayOptions(
  month: string | undefined,
  year: string | undefined,
  today?: CalendarDate,
): Option[] {
  const isThisMonth =
    today !== undefined && Number(month) === today.month && Number(year) === today.year;
  const count = isThisMonth ? today.day : daysInMonth(Number(year) || 2000, Number(month) || 1);
  return Array.from({ length: count }, (_, index) => [twoDigits(index + 1), String(index + 1)]);
}

const narrow: readonly AskedFieldName[] = [
  'first_name',
  'last_name',
  'phone',
  'zip_code',
  'injury_month',
  'injury_year',
];

function optionsOf(name: AskedFieldName, screen: ScreenProps): readonly Option[] | undefined {
  const { texts, fields, values, today } = screen;
  const rule = fields[name];
  switch (rule?.kind) {
    case 'month':
      return accidentMonths(values, today, texts.months);
    case 'year':
      return accidentYears(values, today);
    case 'day':
      return dayOptions(values.injury_month, values.injury_year, today);
    case 'choice':
      return Object.entries(texts.choices[name] ?? {}).filter(([value]) =>
        rule.values?.includes(value),
      );
    default:
      return undefined;
  }
}

function FormField({ name, screen, last }: FieldProps) {
  const { fields, step, texts } = screen;
  const rule = fields[name];
  const optional = !step.asks?.includes(name);
  const { BuyersField, DescriptionField, inputs } = screen.parts;
  if (name === 'selected_buyers' && BuyersField) return <BuyersField {...screen} />;
  if (rule?.kind === 'description' && DescriptionField) return <DescriptionField {...screen} />;
  const field = { name, screen, optional };
  if (isToggled(rule)) return <ToggleField {...field} values={rule?.values ?? []} />;
  const OwnInput = inputs?.[name];
  if (OwnInput) {
    return (
      <FieldFrame name={name} screen={screen}>
        <OwnInput screen={screen} input={inputProps(name, screen)} />
      </FieldFrame>
    );
  }
  const options = optionsOf(name, screen);
  if (!options) return <TextField {...field} last={last} />;
  const { choose, dayUnknown } = texts.controls;
  const empty = rule?.kind === 'day' ? dayUnknown : (texts.fields[name]?.empty ?? choose);
  return <SelectField {...field} options={options} empty={empty} key={options.length} />;
}

/** The fields of the step, required fields first. */
function Fields(screen: ScreenProps) {
  const { step, values, fields } = screen;
  const implied = impliedBy(step, values);
  // True if an answer that the visitor has not given may make this field unnecessary.
  const waits = (name: string) =>
    step.implies?.some(({ field, when }) => field === name && !(Object.keys(when)[0]! in values));
  const all = inputFields(step).filter(
    (name) => !(name in implied) && !waits(name) && !fields[name]?.isCallWish,
  );
  const pairs = all.some((name) => narrow.includes(name)) ? 'fields fields--pairs' : 'fields';
  const buttons = (step.choices ?? []).map(buttonOf);
  return (
    <div className={step.kind === 'accident-date' ? 'fields fields--date' : pairs}>
      {all.map((name, index) => (
        <FormField name={name} screen={screen} last={index === all.length - 1} key={name} />
      ))}
      {buttons[0] && (
        <ToggleField
          name={buttons[0][0]}
          values={buttons.map(([, value]) => value)}
          screen={screen}
          optional
        />
      )}
    </div>
  );
}

export function FormScreen(screen: ScreenProps) {
  return (
    <ScreenForm screen={screen}>
      <Fields {...screen} />
    </ScreenForm>
  );
}

/** Asks for the language and the time of the call. Both answers are optional. */
function CallWishes(screen: ScreenProps) {
  const { step, fields } = screen;
  const wishes = (step.optional ?? []).filter((name) => fields[name]?.isCallWish);
  return (
    <div className="call-wishes">
      {wishes.map((name) => (
        <FormField name={name} screen={screen} key={name} />
      ))}
    </div>
  );
}

/** The last step. The text of `#tcpa` is sent exactly as shown (docs/specification.md#consent). */
export function ContactScreen(screen: ScreenProps) {
  const { at, step, texts, values, prefilled, survey, consent, answers, visitState } = screen;
  const { version, html, digest, calls, firms, note } = consent;
  const isCalled = calls && !closedState(screen, answers, visitState);
  const isPrefilled = inputFields(step).some(
    (name) => values[name] && values[name] === prefilled[at]?.[name],
  );
  return (
    <ScreenForm
      screen={screen}
      after={
        <>
          {firms && (
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, escaped (page-data.ts)
            <details className="firms" dangerouslySetInnerHTML={{ __html: firms }} />
          )}
          {isPrefilled && <p className="fine">{texts.controls.prefilled}</p>}
          {!survey.toggles.hidePrivacyGuarantee && (
            <p className="fine">{texts.controls.security}</p>
          )}
        </>
      }
    >
      {isCalled && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, escaped (page-data.ts)
        <ul className="call-lines" dangerouslySetInnerHTML={{ __html: calls }} />
      )}
      <Fields {...screen} />
      {isCalled && <CallWishes {...screen} />}
      <p
        id="tcpa"
        className="consent"
        translate="no"
        data-consent-version={version}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, escaped (page-data.ts)
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {note && <p className="fine">{note}</p>}
      {/* Without a script, the form identifies the shown consent text by its digest. */}
      <input type="hidden" name="consent" value={digest} />
    </ScreenForm>
  );
}
