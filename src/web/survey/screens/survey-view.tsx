import type { MouseEvent, Ref } from 'react';
import { hasOneScreen, type Stage, stages, stepOf } from '../../../model/flows/engine/flow.ts';
import {
  type Progress,
  progress,
  type WalkContext,
  walk,
} from '../../../model/flows/engine/walk.ts';
import { consentAt, type VisitState } from '../../../model/visit/state.ts';
import { fill } from '../texts/shared.ts';
import type { SurveyTexts } from '../texts/texts.ts';
import { ChoiceScreen, StartScreen } from './choice-screen.tsx';
import type { ScreenEvents, ScreenParts, ScreenProps, SurveyPageData } from './screen-props.ts';

/** The screens that a first question can have. All others are loaded later. */
export const firstScreens: NonNullable<ScreenParts['screens']> = {
  choice: ChoiceScreen,
  start: StartScreen,
};

export type SurveyViewProps = {
  readonly data: SurveyPageData;
  readonly context: WalkContext;
  readonly state: VisitState;
  readonly on: ScreenEvents;
  readonly heading?: Ref<HTMLHeadingElement>;
  readonly parts?: ScreenParts;
};

/** The survey's view, with one form for all steps (docs/specification.md#consent-certificates). */
export function SurveyView({ data, context, state, on, heading, parts = {} }: SurveyViewProps) {
  const { survey, flow, texts, settings } = data;
  const { toggles } = survey;
  const { controls } = texts;
  const step = stepOf(flow, state.at);
  const { steps: way, answers } = walk(flow, state.given, context, state.at);
  const { SendingOverlay, Guidance } = parts;
  const instead = parts.insteadOf?.(data, context, state);
  const words = instead?.words ?? texts.steps[state.at];
  const Screen = instead?.Screen ?? firstScreens[step.kind] ?? parts.screens?.[step.kind];
  const isFirst = way.length === 1;
  const isOver = state.phase === 'sending' || state.phase === 'ended';
  const isEnded = state.phase === 'ended';
  const screen: ScreenProps = {
    ...data,
    ...state,
    step,
    parts,
    consent: (parts.consentOf ?? consentAt)(data, state.at, answers),
    today: context.today,
    answers,
    visitState: context.state,
    values: { ...state.given[state.at], ...state.drafts[state.at] },
    on,
  };
  return (
    <form
      className={`survey${isFirst ? ' survey--first' : ''}${toggles.roundedButtons ? ' survey--rounded' : ''}`}
      method="post"
      noValidate
      onClick={keepFromSending}
      onSubmit={on.submit}
      onChange={on.edit}
      onBlur={on.leave}
      onKeyDown={parts.goToNextField}
    >
      {/* Without JavaScript, the form posts the answered step. Enter presses its first button,
      which must not be an answer (docs/specification.md#without-javascript). */}
      <input type="hidden" name="step" value={state.at} />
      {state.refusals > 0 && <input type="hidden" name="refusals" value={state.refusals} />}
      {/* biome-ignore lint/a11y/useButtonType: only the step's main button has type=submit (docs/specification.md#scriptable-page) */}
      <button className="sr-only" tabIndex={-1} aria-hidden="true" />
      {(state.resumed || state.sent) && (
        <p className="resumed">
          {state.sent ? controls.sent : controls.resumed}{' '}
          {state.resumed && (
            <details>
              <summary className="link">{controls.startOver}</summary>
              {/* biome-ignore lint/a11y/useButtonType: sends the form without a script (keepFromSending) */}
              <button name="go" value="over" className="link" onClick={on.startOver}>
                {controls.deleteAnswers}
              </button>
            </details>
          )}
        </p>
      )}
      {/* Uses a new element for later cards, because a moved one would cause a layout shift. */}
      <div className="card" key={Number(isFirst)}>
        {!hasOneScreen(flow) && (
          <ProgressArea
            progress={progress(flow, way)}
            done={isOver}
            texts={texts}
            hidePercentSign={toggles.hidePercentSign}
          />
        )}
        <section
          className="screen"
          data-step={state.at}
          data-kind={step.kind}
          // With the same key, React reuses the elements of the previous choice step.
          key={step.kind === 'choice' ? step.kind : state.screen}
        >
          <div className="ask">
            {isFirst && !isEnded && step.kind !== 'start' && toggles.firstQuestionHeader && (
              <p className="eyebrow">{controls.firstQuestionHeader}</p>
            )}
            {!isFirst && step.submits && toggles.lastStepHeader && (
              <p className="eyebrow">{controls.lastStepHeader}</p>
            )}
            {/* A new element on each screen, so that screen readers announce its focus. */}
            <h1
              id="question"
              tabIndex={-1}
              ref={heading}
              key={state.screen}
              aria-describedby={words?.help && 'help'}
            >
              {words?.question}
            </h1>
            {words?.help && (
              <p className="help" id="help">
                {words.help}
              </p>
            )}
          </div>
          {Screen && <Screen {...screen} />}
          {isFirst && !isEnded && toggles.socialProof && (
            <p className="proof">{controls.socialProof}</p>
          )}
          {(!isFirst || instead) && !isOver && (
            // biome-ignore lint/a11y/useButtonType: sends the form without a script (keepFromSending)
            <button
              name="go"
              value="back"
              className="back"
              onClick={on.back}
              // A new element below a screen that loaded late, because no layout may shift.
              key={Number(Boolean(Screen))}
            >
              {controls.back}
            </button>
          )}
        </section>
      </div>
      {Guidance && <Guidance {...screen} />}
      {state.overlay && SendingOverlay && (
        <SendingOverlay sending={state.sending} texts={texts} settings={settings} />
      )}
    </form>
  );
}

/** Prevents named buttons from submitting the form, which they do without JavaScript. */
function keepFromSending(event: MouseEvent): void {
  if ((event.target as Element).closest('button')?.name) event.preventDefault();
}

type ProgressAreaProps = {
  readonly progress: Progress;
  readonly done: boolean;
  readonly texts: SurveyTexts;
  readonly hidePercentSign: boolean;
};

/** The visitor's progress. All four styles share this markup (docs/design.md#cascade). */
function ProgressArea({ progress, done, texts, hidePercentSign }: ProgressAreaProps) {
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
          // biome-ignore lint/a11y/noRedundantRoles: scripts select by this attribute (docs/specification.md#scriptable-page)
          role="progressbar"
          max={100}
          value={reach}
          aria-valuenow={percent}
          aria-valuetext={words}
          aria-label={controls.progress}
        />
      </div>
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
      <p className="progress-words" aria-hidden="true">
        {words}
      </p>
    </div>
  );
}
