import type { AskedFieldName } from '../../domain/answers.ts';
import { buttonOf, impliedBy, inputFields } from '../../flows/engine/flow.ts';
import { isToggled } from '../../journey/form-values.ts';
import { accidentMonths, accidentYears, dayOptions } from './date-options.ts';
import { DescriptionField } from './description-field.tsx';
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

const narrow: readonly AskedFieldName[] = [
  'first_name',
  'last_name',
  'phone',
  'zip_code',
  'injury_month',
  'injury_year',
];

/** Returns the options of a field that is a drop-down, else undefined. */
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

/** One question of a form, by the kind of its field. */
function FormField({ name, screen, last }: FieldProps) {
  const { fields, step, texts } = screen;
  const rule = fields[name];
  const optional = !step.asks?.includes(name);
  const { BuyersField, inputs } = screen.parts;
  if (name === 'selected_buyers' && BuyersField) return <BuyersField screen={screen} />;
  if (rule?.kind === 'description') return <DescriptionField screen={screen} />;
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
  const empty = rule?.kind === 'day' ? dayUnknown : choose;
  return <SelectField {...field} options={options} empty={empty} key={options.length} />;
}

/** The step's fields, asked ones first. Dates and short ones share a row if there is room. */
function Fields(screen: ScreenProps) {
  const { step, values } = screen;
  const implied = impliedBy(step, values);
  // A question that follows from another one waits for its answer.
  const waits = (name: string) =>
    step.implies?.some(({ field, when }) => field === name && !(Object.keys(when)[0]! in values));
  const all = inputFields(step).filter((name) => !(name in implied) && !waits(name));
  const pairs = all.some((name) => narrow.includes(name)) ? 'fields fields--pairs' : 'fields';
  return (
    <div className={step.kind === 'accident-date' ? 'fields fields--date' : pairs}>
      {all.map((name, index) => (
        <FormField name={name} screen={screen} last={index === all.length - 1} key={name} />
      ))}
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

/** The case description, and its yes-or-no question. */
export function DescriptionScreen(screen: ScreenProps) {
  const buttons = (screen.step.choices ?? []).map(buttonOf);
  const [toggled] = buttons[0] ?? [];
  const values = buttons.map(([, value]) => value);
  return (
    <ScreenForm screen={screen}>
      <DescriptionField screen={screen} />
      {toggled && <ToggleField name={toggled} values={values} screen={screen} optional />}
    </ScreenForm>
  );
}

/**
 * The last step: contact details, the consent text above the button, and the security disclaimer. The lead
 * carries the text of `#tcpa` as the page shows it (docs/specification.md#consent).
 */
export function ContactScreen(screen: ScreenProps) {
  const { step, texts, values, prefilled = {}, toggles, consent } = screen;
  const { version, html, digest, note } = consent;
  const isPrefilled = inputFields(step).some(
    (name) => values[name] && values[name] === prefilled[name],
  );
  return (
    <ScreenForm
      screen={screen}
      after={
        <>
          {isPrefilled && <p className="fine">{texts.controls.prefilled}</p>}
          {!toggles.hidePrivacyGuarantee && <p className="fine">{texts.controls.security}</p>}
        </>
      }
    >
      <Fields {...screen} />
      <p
        id="tcpa"
        className="consent"
        translate="no"
        data-consent-version={version}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, escaped (page-data.ts)
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {note && <p className="fine">{note}</p>}
      {/* A form posted without a script names the consent text by its digest. */}
      <input type="hidden" name="consent" value={digest} />
    </ScreenForm>
  );
}
