import { stages } from '../../flows/engine/flow.ts';
import type { Progress } from '../../flows/engine/walk.ts';
import { fill } from '../texts/fill.ts';
import type { SurveyTexts } from '../texts/texts.ts';

/** How far the visitor is: labelled positions, or a percentage. `done`: the lead is on its way. */
export function ProgressArea({
  progress,
  done,
  texts,
  hidePercentSign,
}: {
  readonly progress: Progress;
  readonly done: boolean;
  readonly texts: SurveyTexts;
  readonly hidePercentSign: boolean;
}) {
  const { controls } = texts;
  if (progress.style === 'percent') {
    const percent = done ? 100 : progress.percent;
    const text = fill(hidePercentSign ? controls.percentNoSign : controls.percent, { percent });
    return (
      <div className="progress">
        <progress
          // biome-ignore lint/a11y/noRedundantRoles: scripts find it by this attribute (docs/specification.md#scriptable-page)
          role="progressbar"
          max={100}
          value={percent}
          aria-valuenow={percent}
          aria-valuetext={text}
          aria-label={controls.progress}
        />
        <span className="progress-text" aria-hidden="true">
          {text}
        </span>
      </div>
    );
  }
  return (
    <ol className="stages" aria-label={controls.progress}>
      {stages.map((stage, index) => {
        const position = index + 1;
        const isDone = done || position < progress.position;
        return (
          <li
            key={stage}
            className={isDone ? 'stage stage--done' : 'stage'}
            aria-current={position === progress.position ? 'step' : undefined}
          >
            <span className="stage-number" aria-hidden="true">
              {position}
            </span>
            <span className="stage-label">{texts.stages[stage]}</span>
          </li>
        );
      })}
    </ol>
  );
}
