import type { AskedFieldName } from '../../../model/fields/answers.ts';
import type { ContactDetails } from '../../../model/fields/contact-parameters.ts';
import { goToNextField, laterScreens, rare } from '../screens/later-screens.tsx';
import type { ScreenParts } from '../screens/screen-props.ts';
import { takeAnswerKey } from './answer-keys.ts';
import { FormSteps } from './form-steps.ts';
import { showLeaving } from './leaving-answer.ts';
import type { Runner, RunnerParts } from './runner.ts';
import { warmUp } from './warm-up.tsx';

/** The code of `rare.tsx` once it is loaded. */
let loaded: Awaited<ReturnType<typeof rare>> | undefined;
/** A screen into which the visitor had typed when that code came. */
let typedScreen: number | undefined;

/** Loads it for a visitor whose case may be decided before the contact step. Without it that step shows at once. */
export function loadEarlyEnd(
  runner: Pick<Runner, 'getState' | 'dispatch' | 'subscribe'>,
  year: number,
): void {
  const mayEnd = RegExp(`at_Fault":"yes|Over 2|y_year":"(?!${year})`);
  const check = () => {
    if (loaded || !mayEnd.test(JSON.stringify(runner.getState().given))) return;
    rare().then(
      (all) => {
        const { at, drafts, prefilled, screen } = runner.getState();
        const typed = Object.entries(drafts[at] ?? {}).some(
          ([field, value]) => prefilled[at]?.[field as AskedFieldName] !== value,
        );
        if (typed) typedScreen = screen;
        loaded = all;
        runner.dispatch({ type: 'changed', change: {} });
      },
      () => undefined,
    );
  };
  check();
  runner.subscribe(check);
}

/**
 * Records the first error of the page's own scripts as an entry of the visit, so that the console counts visits with
 * errors. Scripts of third parties and of browser extensions have another origin, or none. An error before the page is
 * idle is not seen: with it no step is shown, and the visit is missing in the sample ratio.
 */
export function recordPageError(runner: Pick<Runner, 'getState' | 'record'>): void {
  const onError = ({ filename }: ErrorEvent) => {
    const { at, phase } = runner.getState();
    // The lead of an ended visit is confirmed, so that the visit must not be stored again.
    if (phase === 'ended' || !filename.startsWith(`${location.origin}/`)) return;
    removeEventListener('error', onError);
    runner.record({ kind: 'failed', step: at, answers: {} });
  };
  addEventListener('error', onError);
}

/**
 * The code for the steps after the first question: forms, their checks, the post of the lead, keys, animation, and the
 * watch for errors. The page fetches it when it is idle, or at once if it starts with a form (entry.tsx).
 */
export const laterParts: ScreenParts = {
  ...laterScreens,
  goToNextField,
  // A form that the visitor is filling in must not change into another screen.
  insteadOf: (data, context, state) =>
    state.screen === typedScreen ? undefined : loaded?.insteadOf(data, context, state),
};
export { warmUp };

/** Starts the later code. @param details the contact details of the landing address */
export function startLater(
  parts: RunnerParts,
  runner: Runner,
  details: ContactDetails,
  affid: string,
): void {
  const { flow, settings, survey } = parts.data;
  const { createOneToOne } = window.surveyExtensions ?? {};
  parts.oneToOne = createOneToOne?.(survey, parts.visit, affid);
  runner.bring(FormSteps);
  showLeaving(runner);
  recordPageError(runner);
  loadEarlyEnd(runner, parts.context.today.year);
  window.addEventListener('keydown', takeAnswerKey);
  if (!settings.prefill || Object.keys(details).length === 0) return;
  // Without the code, or an answer, the visitor types the details.
  rare()
    .then(({ prefill }) => prefill(runner, flow, details, affid))
    .catch(() => undefined);
}
