import { type ChangeEvent, useRef } from 'react';
import {
  compensationAt,
  compensationBands,
  INITIAL_COMPENSATION,
  MAX_COMPENSATION,
  markPosition,
  STEP_DOLLARS,
  VERTICAL_BLOCK_HEIGHT_PX,
} from '../../domain/compensation.ts';
import type { OwnInputProps } from './screen-props.ts';

/** How finely the slider divides a block. */
const SLIDER_STEP = 0.05;
const HEIGHT = compensationBands.length * VERTICAL_BLOCK_HEIGHT_PX;

/**
 * The compensation estimator (docs/specification.md#compensation-estimator): the visitor has to change
 * the amount. The slider's knob, the gauge's mark and the band are all placed by `markPosition`: the
 * slider moves along the gauge and not along the dollars, so that they agree everywhere.
 */
export function WorthInput({ screen, input }: OwnInputProps) {
  const { texts, values, on } = screen;
  const amount = useRef<HTMLInputElement>(null);
  const value = Number(values.current_compensation ?? INITIAL_COMPENSATION);
  const { level, blocks, verticalPx } = markPosition(value);
  const dollars = `$${value.toLocaleString('en-US')}`;
  const words = texts.levels[level - 1];
  const slide = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const moved = String(compensationAt(Number(target.value)));
    if (moved === values.current_compensation || !amount.current) return;
    amount.current.value = moved;
    on.toggle('current_compensation', moved);
  };
  return (
    <>
      <div className="worth">
        <svg className="gauge gauge--vertical" viewBox={`0 0 60 ${HEIGHT}`} aria-hidden="true">
          {texts.levels.map((label, index) => (
            <rect
              className={index < level ? 'gauge-on' : 'gauge-off'}
              y={HEIGHT - (index + 1) * VERTICAL_BLOCK_HEIGHT_PX + 2}
              width="36"
              height={VERTICAL_BLOCK_HEIGHT_PX - 4}
              rx="6"
              key={label}
            />
          ))}
          <path className="gauge-mark" d={`M40 ${HEIGHT - verticalPx}l16-10v20z`} />
        </svg>
        <div>
          <p className="worth-value">{dollars}</p>
          <p className="worth-level">{words}</p>
        </div>
      </div>
      <input
        type="range"
        aria-label={texts.fields.current_compensation?.label}
        min={0}
        max={compensationBands.length}
        step={SLIDER_STEP}
        value={blocks}
        onChange={slide}
        aria-valuetext={`${dollars}, ${words}`}
      />
      <input
        type="number"
        {...input}
        ref={amount}
        inputMode="numeric"
        min={STEP_DOLLARS}
        max={MAX_COMPENSATION}
        step={STEP_DOLLARS}
        defaultValue={value}
      />
      <p className="fine">{texts.controls.estimateNote}</p>
    </>
  );
}
