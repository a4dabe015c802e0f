import type { ScreenProps } from './screen-props.ts';

/** A landing screen without a choice: one start button (readings, "Steps": Ep and VW3). */
export function StartScreen({ name, texts, on }: ScreenProps) {
  return (
    <form noValidate onSubmit={on.submit}>
      <button type="submit" className="next">
        {texts.steps[name]?.submit ?? texts.controls.next}
      </button>
    </form>
  );
}
