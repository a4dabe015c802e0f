import { type ChangeEvent, useRef } from 'react';
import {
  compensationAt,
  compensationBands,
  markPosition,
  SLIDER_STEP_BLOCKS,
  startingCompensation,
} from '../../../model/rules/compensation.ts';
import type { OwnInputProps } from './screen-props.ts';

const BLOCKS = compensationBands.length;
/** Height of a block of the vertical gauge, in CSS pixels. */
const BLOCK_PX = 60.71;
const HEIGHT = BLOCKS * BLOCK_PX;
/** Width of the horizontal gauge in units of its view box: 100 per block. */
const WIDTH = BLOCKS * 100;
const blockClass = (index: number, level: number) => (index < level ? 'gauge-on' : 'gauge-off');

function VerticalGauge({ level, blocks }: ReturnType<typeof markPosition>) {
  return (
    <svg className="gauge gauge--vertical" viewBox={`0 0 60 ${HEIGHT}`} aria-hidden="true">
      {compensationBands.map(({ label }, index) => (
        <rect
          className={blockClass(index, level)}
          y={HEIGHT - (index + 1) * BLOCK_PX + 2}
          width="36"
          height={BLOCK_PX - 4}
          rx="6"
          key={label}
        />
      ))}
      <path className="gauge-mark" d={`M40 ${HEIGHT - blocks * BLOCK_PX}l16-10v20z`} />
    </svg>
  );
}

function HorizontalGauge({ level, blocks }: ReturnType<typeof markPosition>) {
  return (
    <svg className="gauge gauge--horizontal" viewBox={`0 0 ${WIDTH} 80`} aria-hidden="true">
      {compensationBands.map(({ label }, index) => (
        <rect
          className={blockClass(index, level)}
          x={index * 100 + 4}
          width="92"
          height="44"
          rx="12"
          key={label}
        />
      ))}
      <path className="gauge-mark" d={`M${blocks * 100} 50l-20 30h40z`} />
    </svg>
  );
}

/** The compensation estimator (docs/specification.md#compensation-estimator). */
export function WorthInput({ screen, input }: OwnInputProps) {
  const { texts, values, answers, settings, on } = screen;
  const amount = useRef<HTMLInputElement>(null);
  const start = startingCompensation(answers, settings.compensationMultipliers);
  const value = Number(values.current_compensation || start);
  const mark = markPosition(value);
  const label = texts.levels[mark.level - 1];
  const slide = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const moved = String(compensationAt(Number(target.value)));
    if (moved === values.current_compensation || !amount.current) return;
    amount.current.value = moved;
    on.toggle('current_compensation', moved);
  };
  return (
    <div className="worth">
      <VerticalGauge {...mark} />
      <div className="worth-amount">
        <div className="worth-figure">
          <input
            type="text"
            {...input}
            ref={amount}
            inputMode="numeric"
            autoComplete="off"
            placeholder={String(start)}
            defaultValue={values.current_compensation}
          />
        </div>
        <p className="worth-level">{label}</p>
        <HorizontalGauge {...mark} />
        <input
          type="range"
          aria-label={texts.fields.current_compensation?.label}
          min={0}
          max={BLOCKS}
          step={SLIDER_STEP_BLOCKS}
          value={mark.blocks}
          onChange={slide}
          aria-valuetext={`$${value.toLocaleString('en-US')}, ${label}`}
        />
        <p className="fine">{texts.controls.estimateNote}</p>
      </div>
    </div>
  );
}
