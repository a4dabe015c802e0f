import { type KeyboardEvent, useState } from 'react';
import type { ScreenProps } from './screen-props.ts';

/** Without case and accents: "nuevo mexico" finds Nuevo México. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** Whether an answer is found: by its code, or by the beginning of any of its words. */
export function isFound(search: string, value: string, label: string): boolean {
  const wanted = plain(search);
  return value.toLowerCase() === wanted || ` ${plain(label)}`.includes(` ${wanted}`);
}

/**
 * One question with very many answers (a state): all of them as buttons, and a search field that
 * leaves those that match. Enter takes the only one that is left.
 */
export function PickScreen({ step, texts, values, on }: ScreenProps) {
  const [search, setSearch] = useState('');
  const [name] = step.asks ?? [];
  if (name === undefined) return null;
  const words = texts.fields[name];
  const found = Object.entries(texts.choices[name] ?? {}).filter(([value, label]) =>
    isFound(search, value, label),
  );
  const pickOnly = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // The survey's form is not to be sent off by it.
    event.preventDefault();
    const [only, ...others] = found;
    if (only && others.length === 0) on.choose({ [name]: only[0] });
  };
  return (
    <div className="form">
      <div className="field">
        <label htmlFor="pick-search">
          {words?.label}
          <span className="hint">{` (${words?.hint})`}</span>
        </label>
        <input
          type="search"
          id="pick-search"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          value={search}
          onKeyDown={pickOnly}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <p className="hint" role="status">
        {found.length === 0 && words?.errors.invalid}
      </p>
      <fieldset className="choices choices--many choices--pick" aria-labelledby="question">
        {found.map(([value, label]) => (
          // biome-ignore lint/a11y/useButtonType: it sends the form where no script runs (form-post.tsx)
          <button
            className="choice"
            name={name}
            value={value}
            aria-pressed={values[name] === value || undefined}
            key={value}
            onClick={() => on.choose({ [name]: value })}
          >
            {label}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
