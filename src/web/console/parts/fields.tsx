import { Select, TextInput } from './controls.tsx';
import { codeText } from './words.ts';

/** An input for one value of an object. */
export type Field = {
  readonly label: string;
  /** `some`: any of the choices. `all or some`: none in the value means all. An empty `maybe` field has no value. Default: a required text. */
  readonly kind?:
    | 'one'
    | 'some'
    | 'all or some'
    | `${'' | 'maybe '}${'text' | 'date' | 'number' | 'money'}`;
  /** The label of each choice. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly placeholder?: string;
};
/** Inputs by the keys of their values. */
export type FieldSet = Readonly<Record<string, Field>>;

/** Returns codes with their labels. */
export function named(codes: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(codes.map((code) => [code, codeText(code)]));
}

type FieldsProps = {
  readonly of: FieldSet;
  readonly values: object;
  readonly onChange: (part: object) => void;
};

/** Draws the inputs for the values of an object. */
export function Fields({ of, values, onChange }: FieldsProps) {
  const known = values as Readonly<Record<string, unknown>>;
  return (
    <div className="row fields">
      {Object.entries(of).map(([key, field]) => (
        <Input
          key={key}
          {...field}
          value={known[key]}
          onChange={(value) => onChange({ [key]: value })}
        />
      ))}
    </div>
  );
}

type InputProps = Field & { readonly value: unknown; readonly onChange: (value: unknown) => void };

function Input({ label, kind = 'text', choices = {}, placeholder = '', ...now }: InputProps) {
  const { value, onChange } = now;
  const text = String(value ?? '');
  if (kind === 'some' || kind === 'all or some') {
    const given = (value as readonly unknown[]).map(String);
    const all = Object.keys(choices);
    const meansAll = (ids: readonly string[]) => kind === 'all or some' && ids.length === 0;
    const chosen = new Set(meansAll(given) ? all : given);
    const toggle = (id: string) => {
      const ids = all.filter((each) => chosen.has(each) !== (each === id));
      if (meansAll(ids)) return;
      if (kind === 'all or some' && ids.length === all.length) onChange([]);
      else onChange(ids.map((each) => (/^\d+$/.test(each) ? Number(each) : each)));
    };
    return (
      <fieldset className="choices">
        <legend className="field-label">{label}</legend>
        {Object.entries(choices).map(([id, name]) => (
          <label key={id} className="small">
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} /> {name}
          </label>
        ))}
      </fieldset>
    );
  }
  if (kind === 'one') {
    const items = Object.entries({ ...choices, [text]: choices[text] ?? text });
    return (
      <Select
        label={label}
        isLabelShown
        items={items.map(([id, name]) => ({ id, label: name }))}
        value={text}
        onChange={(id) => onChange(typeof value === 'boolean' ? id === 'true' : id)}
      />
    );
  }
  const [type = '', maybe] = kind.split(' ').reverse();
  const isNumber = type === 'number' || type === 'money';
  return (
    <TextInput
      label={label}
      {...(isNumber && { min: 0, step: type === 'money' ? 0.01 : 1 })}
      type={isNumber ? 'number' : type === 'date' ? 'date' : 'text'}
      placeholder={placeholder}
      isRequired={maybe === undefined}
      value={text}
      onChange={(typed) => {
        const isMissing = typed === '' && (isNumber || maybe !== undefined);
        onChange(isMissing ? undefined : isNumber ? Number(typed) : typed);
      }}
    />
  );
}
