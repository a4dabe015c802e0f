import { memo } from 'react';
import { type Stage, stages } from '../../../model/flows/engine/flow.ts';
import type { Progress } from '../../../model/flows/engine/walk.ts';
import { fill } from '../texts/fill.ts';
import type { SurveyTexts } from '../texts/texts.ts';

type StagesProps = {
  /** From 1. */
  readonly position: number;
  readonly done: boolean;
  /** Absent: the progress is in percent. */
  readonly labels: SurveyTexts['stages'] | undefined;
};

/** The stages. Most steps stay in theirs, so that React skips them. */
const Stages = memo(function Stages({ position, done, labels }: StagesProps) {
  return (
    <ol className="stages" aria-hidden="true">
      {stages.map((each, index) => (
        <li
          key={each}
          data-done={done || index < position - 1 || undefined}
          aria-current={index === position - 1 ? 'step' : undefined}
        >
          <span>{labels?.[each]}</span>
        </li>
      ))}
    </ol>
  );
});

type ProgressAreaProps = {
  readonly progress: Progress;
  readonly done: boolean;
  readonly texts: SurveyTexts;
  readonly hidePercentSign: boolean;
};

/**
 * The visitor's progress, in labelled stages or in percent. All four progress styles have this markup; only
 * `[data-progress]` selects the style (docs/design.md#cascade). `done`: the lead is being posted.
 */
export function ProgressArea({ progress, done, texts, hidePercentSign }: ProgressAreaProps) {
  const { controls } = texts;
  const reach = done ? 100 : Math.round(progress.reach);
  const percent = done || progress.style === 'stages' ? reach : progress.percent;
  const inPercent = fill(hidePercentSign ? controls.percentNoSign : controls.percent, { percent });
  const labels = progress.style === 'stages' ? texts.stages : undefined;
  const position =
    progress.style === 'stages' ? progress.position : Math.min(4, 1 + Math.floor(percent / 25));
  const stage = labels?.[stages[position - 1] as Stage];
  const words = stage ? fill(controls.stageOf, { stage, position }) : inPercent;
  return (
    <div className="progress" data-percent={inPercent}>
      <div className="track">
        <progress
          // biome-ignore lint/a11y/noRedundantRoles: scripts find it by this attribute (docs/specification.md#scriptable-page)
          role="progressbar"
          max={100}
          value={reach}
          aria-valuenow={percent}
          aria-valuetext={words}
          aria-label={controls.progress}
        />
      </div>
      <Stages position={position} done={done} labels={labels} />
      <p className="progress-words" aria-hidden="true">
        {words}
      </p>
    </div>
  );
}
