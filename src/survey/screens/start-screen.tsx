import type { ScreenProps } from './screen-props.ts';

/**
 * A landing screen without a choice: one start button (docs/specification.md#start-steps: Ep and VW3).
 */
export function StartScreen({ name, texts }: ScreenProps) {
  return (
    <div className="form">
      <button type="submit" className="button">
        {texts.steps[name]?.submit ?? texts.controls.next}
      </button>
    </div>
  );
}
