import type { Choice } from '../../flows/engine/flow.ts';
import { iconId } from './icon-id.ts';
import type { ScreenProps } from './screen-props.ts';

/** The first answer that a choice gives: its button's name and value. */
export function buttonOf(choice: Choice): [name: keyof Choice, value: string] {
  return Object.entries(choice)[0] as [keyof Choice, string];
}

function isChosen(choice: Choice, values: ScreenProps['values'], all: readonly Choice[]): boolean {
  const matches = (one: Choice) =>
    (Object.keys(one) as (keyof Choice)[]).every((field) => one[field] === values[field]);
  if (!matches(choice)) return false;
  // Of two choices that both match, the one that says more is meant.
  const size = Object.keys(choice).length;
  return !all.some((other) => matches(other) && Object.keys(other).length > size);
}

/** How the answers stand: seven or more beside each other, days of an accident in one centred column. */
function layoutOf(choices: readonly Choice[]): string {
  if (choices.length > 6) return 'choices choices--many';
  return choices.some((choice) => choice.accident_date_button)
    ? 'choices choices--days'
    : 'choices';
}

/** A question with one button an answer; a tap answers it. */
export function ChoiceScreen({ name: stepName, step, texts, icons, values, on }: ScreenProps) {
  const choices = step.choices ?? [];
  const own = texts.steps[stepName]?.choices;
  return (
    <fieldset className={layoutOf(choices)} aria-labelledby="question">
      {choices.map((choice) => {
        const [name, value] = buttonOf(choice);
        const icon = iconId(name, value);
        return (
          // biome-ignore lint/a11y/useButtonType: it sends the form where no script runs (form-post.tsx)
          <button
            className="choice"
            name={name}
            value={value}
            aria-pressed={isChosen(choice, values, choices) || undefined}
            key={`${name}=${value}`}
            onClick={() => on.choose(choice)}
          >
            {icon && (
              <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
                <path d={icons[icon]} />
              </svg>
            )}
            <span>{own?.[`${name}=${value}`] ?? texts.choices[name]?.[value]}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
