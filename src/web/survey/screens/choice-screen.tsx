import { buttonOf, type Choice, chosenOf } from '../../../model/flows/engine/flow.ts';
import type { ScreenProps } from './screen-props.ts';

function layoutOf(choices: readonly Choice[]): string {
  if (choices.length > 6) return 'choices choices--many';
  return choices.some((choice) => choice.accident_date_button)
    ? 'choices choices--days'
    : 'choices';
}

function Icon({ path }: { readonly path: string | undefined }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

export function ChoiceScreen({ at, step, texts, icons, values, on }: ScreenProps) {
  const choices = step.choices ?? [];
  const chosen = chosenOf(step, values);
  const own = texts.steps[at]?.choices;
  return (
    <fieldset className={layoutOf(choices)} aria-labelledby="question">
      {choices.map((choice, index) => {
        const [name, value] = buttonOf(choice);
        const icon = iconId(name, value);
        return (
          // biome-ignore lint/a11y/useButtonType: sends the form without a script (survey-view.tsx)
          <button
            className="choice"
            name={name}
            value={value}
            aria-pressed={choice === chosen || undefined}
            // biome-ignore lint/suspicious/noArrayIndexKey: the next question reuses the buttons (survey-view.tsx)
            key={index}
            onClick={() => on.choose(choice)}
          >
            {icon && <Icon path={icons[icon]} />}
            <span>{own?.[`${name}=${value}`] ?? texts.choices[name]?.[value]}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

/** A first screen with promises and a start button (docs/specification.md#start-steps). */
export function StartScreen({ at, texts, icons }: ScreenProps) {
  const promises = Object.entries(texts.steps[at]?.promises ?? {});
  return (
    <div className="form">
      {promises.length > 0 && (
        <ul className="promises">
          {promises.map(([icon, words]) => (
            <li key={icon}>
              <Icon path={icons[icon]} />
              {words}
            </li>
          ))}
        </ul>
      )}
      <button type="submit" className="button">
        {texts.steps[at]?.submit ?? texts.controls.next}
      </button>
    </div>
  );
}

/** Matches the fields whose answers have icons: vehicle, injury and treatment. */
const illustrated =
  /^(accident_type|other_vehicle_type|specific_injury|injury_type|type_of_medical_treatment)$/;

/** Returns the id of an answer's icon, if the answer has one. */
export function iconId(field: string, value: string): string | undefined {
  const id = value.split(' ')[0]?.toLowerCase();
  if (illustrated.test(field)) return value === 'No Injury' ? 'no' : id;
  if (/fault/i.test(field)) return undefined;
  return /^(have_attorney|yes$)/i.test(value) ? 'yes' : /^no$/i.test(value) ? 'no' : undefined;
}
