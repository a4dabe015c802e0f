import { renderToString } from 'react-dom/server';
import type { Choice } from '../../flows/engine/flow.ts';
import { nextStep } from '../../flows/engine/walk.ts';
import { walkContext } from '../../journey/data.ts';
import { initialState, type JourneyState, reduce } from '../../journey/state.ts';
import { BuyersField, consentOf, submitLabel } from '../screens/buyers-field.tsx';
import { laterScreens } from '../screens/later-screens.tsx';
import {
  DateOfBirthScreen,
  EmailDoubt,
  insteadOf,
  ResultScreen,
  StateChoice,
} from '../screens/rare.tsx';
import { noEvents, type ScreenParts, type SurveyPageData } from '../screens/screen-props.ts';
import { SurveyView } from '../screens/survey-view.tsx';
import { WorthInput } from '../screens/worth-input.tsx';
import { serialisePageData } from './page-data.ts';

/** The pieces of a survey page that come from the survey's own code. */
type RenderedSurvey = {
  /** For `<div id="survey">`: the first question. */
  readonly island: string;
  /**
   * For `<template id="survey-next">`: the next question if all answers lead to the same one, else
   * ''.
   */
  readonly next: string;
  /** For `<script type="application/json" id="survey-data">`. */
  readonly json: string;
};

/** Every part of the screens. Each survey's own script needs the parts that are rendered for it. */
const parts: ScreenParts = {
  ...laterScreens,
  BuyersField,
  EmailDoubt,
  StateChoice,
  consentOf,
  submitLabel,
  screens: { ...laterScreens.screens, 'date-of-birth': DateOfBirthScreen, result: ResultScreen },
  insteadOf,
  inputs: { current_compensation: WorthInput },
};

/** Renders one state of a survey as HTML. */
export function renderState(data: SurveyPageData, state: JourneyState): string {
  const context = walkContext(data, data.today);
  return renderToString(
    <SurveyView data={data} context={context} state={state} on={noEvents} parts={parts} />,
  );
}

/** Renders the pieces of a survey's page: the screen to hydrate, the next screen, and the data. */
export function renderSurvey(data: SurveyPageData): RenderedSurvey {
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
