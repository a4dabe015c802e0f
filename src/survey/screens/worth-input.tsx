import { INITIAL_COMPENSATION, MAX_COMPENSATION, markPosition } from '../../domain/compensation.ts';
import type { OwnInputProps } from './screen-props.ts';

/** What one step of the slider is worth, in dollars. */
const STEP_DOLLARS = 500;

/**
 * The compensation estimator (docs/specification.md#compensation-estimator): the visitor has to move
 * the slider.
 */
export function WorthInput({ screen, input }: OwnInputProps) {
  const { texts, values } = screen;
  const value = Number(values.current_compensation ?? INITIAL_COMPENSATION);
  const { level, horizontalPercent } = markPosition(value);
  const dollars = `$${value.toLocaleString('en-US')}`;
  const words = texts.levels[level - 1];
  return (
    <>
      <div className="worth">
        <p className="worth-value">{dollars}</p>
        <p className="worth-level">{words}</p>
        <svg className="gauge" viewBox="0 0 140 12" aria-hidden="true">
          {texts.levels.map((label, index) => (
            <rect
              className={index < level ? 'gauge-on' : 'gauge-off'}
              x={index * 20 + 1}
              y="6"
              width="18"
              height="6"
              rx="3"
              key={label}
            />
          ))}
          <path className="gauge-mark" d={`M${2 + horizontalPercent * 1.36} 5.5l-3-5h6z`} />
        </svg>
      </div>
      <input
        type="range"
        {...input}
        min={INITIAL_COMPENSATION}
        max={MAX_COMPENSATION}
        step={STEP_DOLLARS}
        defaultValue={value}
        aria-valuetext={`${dollars}, ${words}`}
      />
      {/* A slider that says nothing while it moves: without scripts the number is typed. */}
      <noscript>
        <input
          type="number"
          name={input.name}
          inputMode="numeric"
          aria-label={words}
          min={0}
          max={MAX_COMPENSATION}
        />
      </noscript>
      <p className="fine">{texts.controls.estimateNote}</p>
    </>
  );
}
