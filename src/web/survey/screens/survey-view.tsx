import type { ComponentType, MouseEvent, Ref } from 'react';
import { hasOneScreen, type ScreenKind, stepOf } from '../../../model/flows/engine/flow.ts';
import { progress, type WalkContext, walk } from '../../../model/flows/engine/walk.ts';
import { consentAt } from '../../../model/visit/data.ts';
import type { VisitState } from '../../../model/visit/state.ts';
import type { StepTexts } from '../texts/texts.ts';
import { ChoiceScreen, StartScreen } from './choice-screen.tsx';
import { ProgressArea } from './progress-area.tsx';
import type { ScreenEvents, ScreenParts, ScreenProps, SurveyPageData } from './screen-props.ts';

/** The screens of first questions. The others are loaded later. */
export const firstScreens: Partial<Record<ScreenKind, ComponentType<ScreenProps>>> = {
  choice: ChoiceScreen,
  start: StartScreen,
};

export type SurveyViewProps = {
  readonly data: SurveyPageData;
  readonly context: WalkContext;
  readonly state: VisitState;
  readonly on: ScreenEvents;
  /** The heading of the question on screen, for the focus. */
  readonly heading?: Ref<HTMLHeadingElement>;
  readonly parts?: ScreenParts;
};

/**
 * The view of the survey: progress, the question on screen, the way back. It has one `[data-step]` at any time;
 * the answer that slides out is a copy (leaving-answer.ts). One form stays through all steps, as consent
 * certificates require (docs/specification.md#consent-certificates).
 */
export function SurveyView({ data, context, state, on, heading, parts = {} }: SurveyViewProps) {
  const { survey, flow, fields, texts, icons, settings } = data;
  const { toggles } = survey;
  const { controls } = texts;
  const step = stepOf(flow, state.at);
  const { steps: way, answers } = walk(flow, state.given, context, state.at);
  const { SendingOverlay } = parts;
  const {
    words = texts.steps[state.at],
    Screen = firstScreens[step.kind] ?? parts.screens?.[step.kind],
  }: { words?: StepTexts | undefined; Screen?: ComponentType<ScreenProps> | undefined } =
    parts.insteadOf?.(data, context, state) ?? {};
  const isFirst = way.length === 1;
  const isOver = state.phase === 'sending' || state.phase === 'ended';
  const isEnded = state.phase === 'ended';
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
      {/* A browser that sends the form without a script needs the answered step, and a button for Enter: it presses a
          form's first button, which must not be an answer (docs/specification.md#without-javascript). */}
      <input type="hidden" name="step" value={state.at} />
      {state.refusals > 0 && <input type="hidden" name="refusals" value={state.refusals} />}
      {/* biome-ignore lint/a11y/useButtonType: the way on is the step's one button[type=submit] (docs/specification.md#scriptable-page) */}
      <button className="sr-only" tabIndex={-1} aria-hidden="true" />
      {(state.resumed || state.sent) && (
        <p className="resumed">
          {state.sent ? controls.sent : controls.resumed}{' '}
          {state.resumed && (
            <details>
              <summary className="link">{controls.startOver}</summary>
              {/* biome-ignore lint/a11y/useButtonType: as an answer (keepFromSending) */}
              <button name="go" value="over" className="link" onClick={on.startOver}>
                {controls.deleteAnswers}
              </button>
            </details>
          )}
        </p>
      )}
      {/* The first card is lower. Another element, rather than one that moves, shifts nothing. */}
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
          className={`screen screen--${state.direction}${state.screen % 2 ? ' screen--odd' : ''}`}
          data-step={state.at}
          data-kind={step.kind}
          // Answers follow answers in the same elements, for which the browser has style and layout. Fields are new.
          key={step.kind === 'choice' ? step.kind : state.screen}
        >
          <div className="ask">
            {isFirst && !isEnded && step.kind !== 'start' && toggles.firstQuestionHeader && (
              <p className="eyebrow">{controls.firstQuestionHeader}</p>
            )}
            {!isFirst && step.submits && toggles.lastStepHeader && (
              <p className="eyebrow">{controls.lastStepHeader}</p>
            )}
            {/* New with each screen, so that its focus is announced. */}
            <h1 id="question" tabIndex={-1} ref={heading} key={state.screen}>
              {words?.question}
            </h1>
            {words?.help && <p className="help">{words.help}</p>}
          </div>
          {Screen && (
            <Screen
              name={state.at}
              step={step}
              parts={parts}
              fields={fields}
              texts={texts}
              icons={icons}
              settings={settings}
              toggles={toggles}
              consent={(parts.consentOf ?? consentAt)(data, state.at, answers)}
              today={context.today}
              answers={answers}
              values={{ ...state.given[state.at], ...state.drafts[state.at] }}
              prefilled={state.prefilled[state.at]}
              errors={state.errors}
              place={state.place}
              asksState={state.unknownZips > 1}
              busy={state.phase === 'checking'}
              sending={state.sending}
              on={on}
            />
          )}
          {isFirst && !isEnded && toggles.socialProof && (
            <p className="proof">{controls.socialProof}</p>
          )}
          {!isFirst && !isOver && (
            // biome-ignore lint/a11y/useButtonType: as an answer (keepFromSending)
            <button name="go" value="back" className="back" onClick={on.back}>
              {controls.back}
            </button>
          )}
        </section>
      </div>
      {state.overlay && SendingOverlay && (
        <SendingOverlay sending={state.sending} texts={texts} settings={settings} on={on} />
      )}
    </form>
  );
}

/** Keeps buttons with a name (answers, toggles, back) from sending the form. Without a script they must send it. */
function keepFromSending(event: MouseEvent): void {
  if ((event.target as Element).closest('button')?.name) event.preventDefault();
}
