import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { stepOf } from '../../../model/flows/engine/flow.ts';
import type { WalkContext } from '../../../model/flows/engine/walk.ts';
import { reduce } from '../../../model/visit/state.ts';
import { noEvents, type ScreenParts, type SurveyPageData } from '../screens/screen-props.ts';
import { SurveyView } from '../screens/survey-view.tsx';
import { wait } from '../scripts/wait.ts';
import type { Runner } from './runner.ts';

/** Enough time for a slow phone to draw a screen. */
const KEPT_MS = 1_000;

/**
 * Draws the next screen outside of the document and taps it, so that the browser has compiled that code before the
 * visitor's first tap: hydration runs other code of React (docs/decisions/0076-tap.md). Stops when the visitor taps.
 */
export async function warmUp(
  data: SurveyPageData,
  context: WalkContext,
  runner: Pick<Runner, 'getState'>,
  parts: ScreenParts,
): Promise<void> {
  const state = runner.getState();
  const isTapped = () => runner.getState().screen !== state.screen;
  const answers = stepOf(data.flow, state.at).choices?.[0];
  if (!answers) return;
  const next = reduce(data.flow, context, state, {
    type: 'answered',
    screen: state.screen,
    answers,
  });
  const nowhere = document.createElement('div');
  const root = createRoot(nowhere);
  const view = { data, context, on: noEvents, parts };
  startTransition(() => root.render(<SurveyView {...view} state={state} />));
  await wait(KEPT_MS);
  if (!isTapped()) {
    startTransition(() => root.render(<SurveyView {...view} state={next} />));
    await wait(KEPT_MS);
  }
  if (!isTapped()) nowhere.querySelector<HTMLElement>('[data-step] button')?.click();
  root.unmount();
}
