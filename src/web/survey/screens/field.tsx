import type { InputHTMLAttributes, ReactNode } from 'react';
import type { AskedFieldName } from '../../../model/fields/answers.ts';
import { formatPhoneMask } from '../../../model/fields/phone-format.ts';
import { fill } from '../texts/shared.ts';
import type { ScreenProps } from './screen-props.ts';

export type FieldProps = {
  readonly name: AskedFieldName;
  readonly screen: ScreenProps;
  readonly optional?: boolean | undefined;
  /** True for the last field of a form. The keyboard's enter key then submits the form. */
  readonly last?: boolean;
};

/** Maps a field to the attributes of its input for type, keyboard and autofill. */
const inputs: Partial<Record<AskedFieldName, InputHTMLAttributes<HTMLInputElement>>> = {
  first_name: { autoComplete: 'given-name', autoCapitalize: 'words' },
  last_name: { autoComplete: 'family-name', autoCapitalize: 'words' },
  email: { type: 'email', inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none' },
  phone: { type: 'tel', inputMode: 'tel', autoComplete: 'tel-national' },
  zip_code: { inputMode: 'numeric', autoComplete: 'postal-code' },
  address: { autoComplete: 'address-line1', autoCapitalize: 'words' },
  law_firm_name: { autoComplete: 'off' },
  law_firm_phone: { type: 'tel', inputMode: 'tel', autoComplete: 'off' },
  date_of_birth_year: { inputMode: 'numeric', autoComplete: 'bday-year', maxLength: 4 },
};

/** Returns the attributes that connect an input with its hint and its error. */
export function inputProps(name: AskedFieldName, { errors, texts }: ScreenProps) {
  const { hint } = texts.fields[name] ?? {};
  const ids = [hint && `hint-${name}`, errors[name] && `error-${name}`];
  return {
    id: `field-${name}`,
    name,
    'aria-invalid': errors[name] ? (true as const) : undefined,
    'aria-describedby': ids.filter(Boolean).join(' ') || undefined,
  };
}

function labelOf(name: AskedFieldName, { at, texts }: ScreenProps): string | undefined {
  return texts.steps[at]?.labels?.[name] ?? texts.fields[name]?.label;
}

function FieldError({ name, screen: { at, texts, errors } }: FieldProps) {
  const error = errors[name];
  const own = error === 'required' && texts.steps[at]?.required?.[name];
  return (
    error && (
      <p className="error" id={`error-${name}`}>
        {own || texts.fields[name]?.errors[error]}
      </p>
    )
  );
}

/** The frame of a field: label, hint and error around the input. */
export function FieldFrame(props: FieldProps & { readonly children: ReactNode }) {
  const { name, screen, optional, children } = props;
  const { texts, errors, parts } = screen;
  const { EmailDoubt, StateChoice } = parts;
  const error = errors[name];
  const hint = texts.fields[name]?.hint ?? (optional ? texts.controls.optional : undefined);
  return (
    <div className={error ? 'field field--error' : 'field'} data-field={name}>
      <label htmlFor={`field-${name}`}>
        {labelOf(name, screen)}
        {hint && (
          <span className="hint" id={`hint-${name}`}>
            {` (${hint})`}
          </span>
        )}
      </label>
      {children}
      {name === 'email' && EmailDoubt && error === 'doubtful' ? (
        <EmailDoubt {...screen} />
      ) : (
        <FieldError name={name} screen={screen} />
      )}
      {name === 'zip_code' && screen.unknownZips > 1 && StateChoice && <StateChoice {...screen} />}
    </div>
  );
}

/** A one-line input. */
export function TextField({ name, screen, optional, last }: FieldProps) {
  const value = screen.values[name] ?? '';
  const isPhone = inputs[name]?.type === 'tel';
  return (
    <FieldFrame name={name} screen={screen} optional={optional}>
      <input
        type="text"
        spellCheck={false}
        {...inputs[name]}
        {...inputProps(name, screen)}
        required={!optional}
        enterKeyHint={last ? 'go' : 'next'}
        defaultValue={isPhone ? formatPhoneMask(value) : value}
      />
    </FieldFrame>
  );
}

/** One option of a drop-down. `ahead` marks a future month of this year. */
export type Option = readonly [value: string, label: string, ahead?: boolean];

type SelectProps = FieldProps & {
  readonly options: readonly Option[];
  readonly empty: string;
  readonly autoComplete?: string;
};

/** A drop-down. If the options change, change the `key` too, so that the chosen option is shown. */
export function SelectField(props: SelectProps) {
  const { name, screen, options, empty, optional, autoComplete } = props;
  return (
    <FieldFrame name={name} screen={screen} optional={optional}>
      <select
        {...inputProps(name, screen)}
        required={!optional}
        autoComplete={autoComplete}
        defaultValue={screen.values[name]}
      >
        <option value="">{empty}</option>
        {options.map(([value, label, ahead]) => (
          <option value={value} data-ahead={ahead || undefined} key={value}>
            {label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

type ToggleProps = FieldProps & { readonly values: readonly string[] };

/** A question in a form with one toggle button per answer. At most one button is pressed. */
export function ToggleField({ name, values, screen, optional }: ToggleProps) {
  const { texts, errors, on } = screen;
  const error = errors[name];
  return (
    <fieldset
      className={error ? 'toggles field--error' : 'toggles'}
      id={`field-${name}`}
      data-field={name}
      aria-describedby={error && `error-${name}`}
    >
      <legend>
        {labelOf(name, screen)}
        {optional && <span className="hint">{` (${texts.controls.optional})`}</span>}
      </legend>
      {values.map((value) => (
        // biome-ignore lint/a11y/useButtonType: sends the form without a script (survey-view.tsx)
        <button
          className="choice choice--small"
          name={name}
          value={value}
          aria-pressed={screen.values[name] === value}
          key={value}
          onClick={() => on.toggle(name, value)}
        >
          {texts.choices[name]?.[value]}
        </button>
      ))}
      <FieldError name={name} screen={screen} />
    </fieldset>
  );
}

type FormProps = { screen: ScreenProps; children: ReactNode; after?: ReactNode };

/** The fields and the submit button of a form. */
export function ScreenForm({ screen, children, after }: FormProps) {
  const { texts, at, phase, parts } = screen;
  return (
    <div className="form">
      {children}
      <button type="submit" className="button" aria-busy={phase === 'checking' || undefined}>
        {parts.submitLabel?.(screen) ?? texts.steps[at]?.submit ?? texts.controls.next}
      </button>
      {after}
    </div>
  );
}

type CallProps = {
  readonly texts: Pick<ScreenProps['texts'], 'controls'>;
  readonly settings: Pick<ScreenProps['settings'], 'phoneDisplay' | 'phoneHref'>;
};

export function CallButton({ texts, settings }: CallProps) {
  return (
    <a className="button" href={settings.phoneHref}>
      {fill(texts.controls.callNow, { phone: settings.phoneDisplay })}
    </a>
  );
}
