import { renderToString } from 'react-dom/server';
import type { Choice } from '../../../model/flows/engine/flow.ts';
import { nextStep } from '../../../model/flows/engine/walk.ts';
import type { Survey } from '../../../model/flows/surveys.ts';
import type { SiteSettings } from '../../../model/messages/site-settings.ts';
import type { FormProblemReason } from '../../../model/visit/posted-form.ts';
import { initialState, reduce, type VisitState, walkContext } from '../../../model/visit/state.ts';
import type { Visit } from '../../../model/visit/visit.ts';
import { screenParts } from '../runner/one-to-one.tsx';
import { DescriptionField } from '../screens/description.tsx';
import { CallButton } from '../screens/field.tsx';
import { Guidance } from '../screens/guidance.tsx';
import { laterScreens } from '../screens/later-screens.tsx';
import {
  DateOfBirthScreen,
  EmailDoubt,
  insteadOf,
  ResultScreen,
  StateChoice,
} from '../screens/rare.tsx';
import type { ScreenEvents, ScreenParts, SurveyPageData } from '../screens/screen-props.ts';
import { SurveyView } from '../screens/survey-view.tsx';
import { WorthInput } from '../screens/worth-input.tsx';
import { texts } from '../texts/texts.ts';
import { serialisePageData } from './page-data.ts';

/** The components of all screens. A browser loads only those that the survey uses. */
const parts: ScreenParts = {
  ...laterScreens,
  DescriptionField,
  EmailDoubt,
  StateChoice,
  Guidance,
  ...screenParts,
  screens: { ...laterScreens.screens, 'date-of-birth': DateOfBirthScreen, result: ResultScreen },
  insteadOf,
  inputs: { current_compensation: WorthInput },
};

const noEvents = {} as ScreenEvents;

export function renderState(data: SurveyPageData, state: VisitState, visit?: Visit): string {
  const context = walkContext(data, data.today, visit);
  return renderToString(
    <SurveyView data={data} context={context} state={state} on={noEvents} parts={parts} />,
  );
}

/** Renders the first question, and the second one if every first answer leads to it. */
export function renderSurvey(data: SurveyPageData) {
  const { flow } = data;
  const context = walkContext(data, data.today);
  const state = initialState(flow);
  const choices: readonly Choice[] = flow.steps[flow.start]?.choices ?? [];
  const targets = new Set(choices.map((choice) => nextStep(flow, flow.start, choice, context)));
  const answers = choices[0];
  const next =
    answers && targets.size === 1
      ? reduce(flow, context, state, { type: 'answered', screen: state.screen, answers })
      : state;
  return {
    island: renderState(data, state),
    next: next === state ? '' : renderState(data, next),
    json: serialisePageData(data),
  };
}

/** Renders the reason why the server refused a form, with links to continue. */
export function renderFormProblem(
  { path, language }: Pick<Survey, 'path' | 'language'>,
  settings: Pick<SiteSettings, 'phoneDisplay' | 'phoneHref'>,
  reason: FormProblemReason,
): string {
  const { page, controls } = texts[language];
  return renderToString(
    <div className="survey">
      <div className="card" data-form-problem={reason}>
        <section className="screen">
          <h1 id="question" tabIndex={-1}>
            {page.formProblemTitle}
          </h1>
          <p className="help">{page.formProblems[reason]}</p>
          <div className="form">
            <CallButton texts={{ controls }} settings={settings} />
          </div>
          <p>
            <a className="back" href={path}>
              {page.startAgain}
            </a>
          </p>
        </section>
      </div>
    </div>,
  );
}
