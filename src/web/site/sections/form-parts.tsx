import type { InputHTMLAttributes, ReactNode } from 'react';
import type { FormPlaces } from '../../../model/messages/form-marks.ts';

type FieldProps = {
  readonly name: string;
  readonly words: {
    readonly labels: Readonly<Record<string, string>>;
    readonly errors: Readonly<Record<string, string>>;
  };
  readonly hint?: string | undefined;
  readonly places: FormPlaces;
  /** True if only screen readers read the error. */
  readonly hidesError?: boolean;
  readonly isRequired?: boolean;
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
  readonly options?: Readonly<Record<string, string>>;
  readonly children?: ReactNode;
};

/** A form field with its label, hint, control and error. */
export function Field(props: FieldProps) {
  const { name, words, hint, places, input, options, children } = props;
  const wrong = places.classIf(`${name}:wrong`, 'field--error');
  const doubted = places.classIf(`${name}:doubt`, 'field--error field--doubt');
  const attributes = controlAttributes(name, places, props.isRequired);
  return (
    <div className={`field${wrong}${doubted}`}>
      <label htmlFor={name}>
        {words.labels[name]}
        {hint && <span className="hint"> {hint}</span>}
      </label>
      {input && (
        <input maxLength={254} {...attributes} {...input} defaultValue={places.text(name)} />
      )}
      {options && (
        <select {...attributes}>
          {Object.entries(options).map(([value, label]) => (
            <option key={value} value={value} data-chosen={places.chosen(name, value)}>
              {label}
            </option>
          ))}
        </select>
      )}
      {children}
      <p className={`field-error ${props.hidesError ? 'sr-only' : 'error'}`} id={`${name}-error`}>
        {words.errors[name]}
      </p>
    </div>
  );
}

/** Returns the attributes that identify a control and connect it with its error. */
export function controlAttributes(name: string, { text }: FormPlaces, isRequired = false) {
  return {
    id: name,
    name,
    'aria-invalid': (text(`${name}:wrong`) || 'false') as 'false',
    'aria-describedby': text(`${name}:said-by`) || undefined,
    'aria-required': isRequired || undefined,
  };
}

type FormErrorProps = { places: FormPlaces; place: 'refused' | 'unsaved'; children: ReactNode };

/** An error of the whole form, shown after a post without JavaScript. */
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
