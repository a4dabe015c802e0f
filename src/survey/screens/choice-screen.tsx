import { buttonOf, type Choice, chosenOf } from '../../flows/engine/flow.ts';
import { iconId } from './icon-id.ts';
import type { ScreenProps } from './screen-props.ts';

/** Returns the answers' layout: seven or more side by side, accident dates in one centred column. */
function layoutOf(choices: readonly Choice[]): string {
  if (choices.length > 6) return 'choices choices--many';
  return choices.some((choice) => choice.accident_date_button)
    ? 'choices choices--days'
    : 'choices';
}

/** A question with one button per answer. */
export function ChoiceScreen({ name: stepName, step, texts, icons, values, on }: ScreenProps) {
  const choices = step.choices ?? [];
  const chosen = chosenOf(step, values);
  const own = texts.steps[stepName]?.choices;
  return (
    <fieldset className={layoutOf(choices)} aria-labelledby="question">
      {choices.map((choice, index) => {
        const [name, value] = buttonOf(choice);
        const icon = iconId(name, value);
        return (
          // biome-ignore lint/a11y/useButtonType: it sends the form where no script runs (form-post.tsx)
          <button
            className="choice"
            name={name}
            value={value}
            aria-pressed={choice === chosen || undefined}
            // biome-ignore lint/suspicious/noArrayIndexKey: the next question reuses the buttons (survey-view.tsx)
            key={index}
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
