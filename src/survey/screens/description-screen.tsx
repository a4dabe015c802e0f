import { buttonOf } from '../../flows/engine/flow.ts';
import { DescriptionField } from './description-field.tsx';
import { ScreenForm, ToggleField } from './field.tsx';
import type { ScreenProps } from './screen-props.ts';

/** The case description, and the yes-or-no question that belongs to it. */
export function DescriptionScreen(screen: ScreenProps) {
  const buttons = (screen.step.choices ?? []).map(buttonOf);
  const [toggled] = buttons[0] ?? [];
  return (
    <ScreenForm screen={screen}>
      <DescriptionField screen={screen} />
      {toggled && (
        <ToggleField
          name={toggled}
          values={buttons.map(([, value]) => value)}
          screen={screen}
          optional
        />
      )}
    </ScreenForm>
  );
}
