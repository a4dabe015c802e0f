import type { ScreenProps } from './screen-props.ts';

/** A landing screen with the survey's promises and a start button (docs/specification.md#start-steps: Ep and VW3). */
export function StartScreen({ name, texts, icons }: ScreenProps) {
  const promises = Object.entries(texts.steps[name]?.promises ?? {});
  return (
    <div className="form">
      {promises.length > 0 && (
        <ul className="promises">
          {promises.map(([icon, words]) => (
            <li key={icon}>
              <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
                <path d={icons[icon]} />
              </svg>
              {words}
            </li>
          ))}
        </ul>
      )}
      <button type="submit" className="button">
        {texts.steps[name]?.submit ?? texts.controls.next}
      </button>
    </div>
  );
}
