import { stateNames } from '../texts/state-names.ts';
import type { ScreenProps } from './screen-props.ts';

/** Here rather than in every page's texts, because few visitors need them. */
const words = {
  en: {
    label: 'If the zip code is right, choose your state.',
    outside: 'Outside the states (Puerto Rico, Guam, military)',
  },
  es: {
    label: 'Si el código postal es correcto, elija su estado.',
    outside: 'Fuera de los estados (Puerto Rico, Guam, militar)',
  },
};

/** Asks for the state where the zip code has no place (docs/specification.md#zip-look-up). */
export function StateChoice({ screen: { values, texts, on } }: { readonly screen: ScreenProps }) {
  const { label, outside } = words[texts.language];
  const names = Object.entries(stateNames(texts.language));
  return (
    <>
      <label htmlFor="field-state_choice">{label}</label>
      <select
        id="field-state_choice"
        name="state_choice"
        defaultValue={values.state_choice}
        onChange={({ target: { value } }) => {
          const state = value === 'outside' ? '' : value;
          on.toggle('state_choice', value);
          if (state !== (values.state ?? '')) on.toggle('state', state || (values.state ?? ''));
        }}
      >
        <option value="">{texts.controls.choose}</option>
        {names.map(([code, name]) => (
          <option value={code} key={code}>
            {name}
          </option>
        ))}
        <option value="outside">{outside}</option>
      </select>
    </>
  );
}
