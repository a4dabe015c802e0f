import type { ReactNode } from 'react';
import type { FormPlaces } from '../../../model/messages/form-marks.ts';

/** Parts of the contact form and the do-not-sell form, which work without a script (form-marks.ts). */

type FieldProps = {
  readonly name: string;
  readonly words: {
    readonly labels: Readonly<Record<string, string>>;
    readonly errors: Readonly<Record<string, string>>;
  };
  readonly hint?: string | undefined;
  readonly places: FormPlaces;
  /** `sr-only` if the red field alone shows the error to sighted visitors. */
  readonly errorClass?: 'error' | 'sr-only';
  readonly children: ReactNode;
};

/** A field: its label with a hint, its control, and its error, displayed while the field is red. */
export function Field({ name, words, hint, places, errorClass = 'error', children }: FieldProps) {
  const wrong = places.classIf(`${name}:wrong`, 'field--error');
  const doubted = places.classIf(`${name}:doubt`, 'field--error field--doubt');
  return (
    <div className={`field${wrong}${doubted}`}>
      <label htmlFor={name}>
        {words.labels[name]}
        {hint && <span className="hint"> {hint}</span>}
      </label>
      {children}
      <p className={`field-error ${errorClass}`} id={`${name}-error`}>
        {words.errors[name]}
      </p>
    </div>
  );
}

/** Returns the attributes of a control. They point screen readers to the error while one is shown. */
export function controlAttributes(name: string, { text }: FormPlaces) {
  return {
    id: name,
    name,
    'aria-invalid': (text(`${name}:wrong`) || 'false') as 'false',
    'aria-describedby': text(`${name}:said-by`) || undefined,
  };
}

type SelectProps = {
  readonly name: string;
  /** The label of the empty option. */
  readonly empty: string;
  readonly options: Readonly<Record<string, string>>;
  readonly places: FormPlaces;
  readonly isRequired?: true;
};

export function Select({ name, empty, options, places, isRequired }: SelectProps) {
  return (
    <select {...controlAttributes(name, places)} aria-required={isRequired}>
      <option value="">{empty}</option>
      {Object.entries(options).map(([value, label]) => (
        <option key={value} value={value} data-chosen={places.chosen(name, value)}>
          {label}
        </option>
      ))}
    </select>
  );
}

type FormErrorProps = { places: FormPlaces; place: 'refused' | 'unsaved'; children: ReactNode };

/** An error of the whole form, shown after a post without a script. */
export function FormError({ place, places, children }: FormErrorProps) {
  return (
    <p className={`notice notice--error reply${places.classIf(place, 'is-shown')}`} role="alert">
      {children}
    </p>
  );
}

type SentProps = { readonly title: string; readonly children: ReactNode };

/** The content of the panel that replaces a form after it was sent. */
export function Sent({ title, children }: SentProps) {
  return (
    <>
      <svg className="sent-mark" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="22" />
        <path d="m14 25 7 7 13-15" />
      </svg>
      <h2 className="title" tabIndex={-1}>
        {title}
      </h2>
      {children}
    </>
  );
}
