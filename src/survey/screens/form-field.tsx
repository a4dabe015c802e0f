import type { AskedFieldName } from '../../domain/answers.ts';
import { isToggled } from '../../journey/form-values.ts';
import { accidentDays, monthOptions, yearOptions } from './date-options.ts';
import { DescriptionField } from './description-field.tsx';
import {
  FieldFrame,
  inputProps,
  type Option,
  SelectField,
  TextField,
  ToggleField,
} from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

/** The options of a drop-down for a field of this kind, or undefined where it is none. */
function optionsOf(name: AskedFieldName, screen: ScreenProps): readonly Option[] | undefined {
  const { texts, fields, values, today } = screen;
  const rule = fields[name];
  switch (rule?.kind) {
    case 'month':
      return monthOptions(texts.months);
    case 'year':
      return yearOptions(today);
    case 'day':
      return accidentDays(values, today);
    case 'choice':
      return Object.entries(texts.choices[name] ?? {}).filter(([value]) =>
        rule.values?.includes(value),
      );
    default:
      return undefined;
  }
}

/** One question of a form, by the kind of its field. `last`: it is the form's last. */
export function FormField({
  name,
  screen,
  last,
}: {
  readonly name: AskedFieldName;
  readonly screen: ScreenProps;
  readonly last: boolean;
}) {
  const { fields, step, texts } = screen;
  const rule = fields[name];
  const optional = !step.asks?.includes(name);
  const { BuyersField, inputs } = screen.parts;
  if (name === 'selected_buyers' && BuyersField) return <BuyersField screen={screen} />;
  if (rule?.kind === 'description') return <DescriptionField screen={screen} />;
  if (isToggled(rule)) {
    return (
      <ToggleField name={name} values={rule?.values ?? []} screen={screen} optional={optional} />
    );
  }
  const OwnInput = inputs?.[name];
  if (OwnInput) {
    return (
      <FieldFrame name={name} screen={screen}>
        <OwnInput screen={screen} input={inputProps(name, screen)} />
      </FieldFrame>
    );
  }
  const options = optionsOf(name, screen);
  return options ? (
    <SelectField
      name={name}
      screen={screen}
      options={options}
      empty={texts.controls.choose}
      optional={optional}
    />
  ) : (
    <TextField name={name} screen={screen} optional={optional} last={last} />
  );
}
