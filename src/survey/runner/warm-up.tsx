import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { stepOf } from '../../flows/engine/flow.ts';
import type { WalkContext } from '../../flows/engine/walk.ts';
import { reduce } from '../../journey/state.ts';
import { noEvents } from '../screens/no-events.ts';
import type { SurveyPageData } from '../screens/page-data.ts';
import type { ScreenParts } from '../screens/screen-props.ts';
import { SurveyView } from '../screens/survey-view.tsx';
import { wait } from '../scripts/wait.ts';
import type { Runner } from './runner.ts';

/** Long enough for a cheap phone to have it drawn. */
const KEPT_MS = 1_000;

/**
 * Draws the next screen once where nobody sees it, and taps it, so that the first tap of a visitor is as
 * fast as the others: the browser compiles code only when it is needed, and drawing a screen needs other code
 * of React than taking over the one that is there (docs/decisions/0032-page-loading.md). Whoever taps meanwhile
 * has done it better: no more is drawn then.
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
