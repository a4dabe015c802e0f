import type { AskedFieldName } from '../../../model/fields/answers.ts';
import type { ContactDetails } from '../../../model/fields/contact-parameters.ts';
import { stepOf } from '../../../model/flows/engine/flow.ts';
import { HEALTH_AUTHORIZATION } from '../../../model/rules/health-authorization.ts';
import { affiliateOf, listedState } from '../../../model/visit/visit.ts';
import { forgetOldVisits } from '../queue/forget-old.ts';
import { laterScreens, rare } from '../screens/later-screens.tsx';
import type { ScreenParts, SurveyPageData } from '../screens/screen-props.ts';
import { takeAnswerKey } from './answer-keys.ts';
import { FormSteps } from './form-steps.ts';
import type { Runner, RunnerParts } from './runner.ts';
import { slideScreens } from './slide-screens.ts';

let loaded: Awaited<ReturnType<typeof rare>> | undefined;
/** The index of the screen on which the visitor was typing when `rare.tsx` was loaded. */
let typedScreen: number | undefined;
/** True after the visitor pressed the button below the consent text, so that this text is stored. */
let isAuthorizing = false;

/** Keeps the early-end screen from replacing the form in which the visitor is typing. */
function keepTypedForm(runner: Pick<Runner, 'getState'>): void {
  const { at, drafts, prefilled, screen } = runner.getState();
  const isTyped = Object.entries(drafts[at] ?? {}).some(
    ([field, value]) => prefilled[at]?.[field as AskedFieldName] !== value,
  );
  if (isTyped) typedScreen = screen;
}

/** Loads `rare.tsx`, whose screens can replace a contact step. Undefined after a failure. */
async function loadRare(runner: Pick<Runner, 'getState' | 'dispatch'>): Promise<typeof loaded> {
  loaded = await rare().catch(() => undefined);
  if (!loaded) return undefined;
  keepTypedForm(runner);
  runner.dispatch({ type: 'changed', change: {} });
  return loaded;
}

type AfterPaint = { readonly page: { readonly afterPaint: { add(task: () => void): void } } };

/** Loads the early-end screen, which replaces the contact step if the case is already decided. */
export function loadEarlyEnd(
  runner: Pick<Runner, 'getState' | 'dispatch' | 'subscribe'>,
  { data, context, page }: Pick<RunnerParts, 'data' | 'context'> & AfterPaint,
): void {
  const { flow, settings } = data;
  const states = settings.closedStates.join('|');
  const mayEnd = RegExp(
    `at_Fault":"yes|Over 2|y_year":"(?!${context.today.year})|"state\\w*":"(${states})"`,
  );
  let isLoading = false;
  const check = () => {
    if (loaded || isLoading) return;
    const { given, at } = runner.getState();
    // The step that finds the state may lead to the notice at once.
    const { finds, submits } = stepOf(flow, at);
    const mayFindState = states && finds && !submits;
    const known = JSON.stringify({ ...given, state: context.state });
    if (!mayFindState && !mayEnd.test(known)) return;
    isLoading = true;
    // Not at once, because the visitor's tap is still being handled.
    page.afterPaint.add(async () => {
      await loadRare(runner);
      isLoading = false;
    });
  };
  check();
  runner.subscribe(check);
}

/** Records the first error of our own scripts, so that the console counts visits with errors. */
export function recordPageError(runner: Pick<Runner, 'getState' | 'record'>): void {
  const onError = ({ filename }: ErrorEvent) => {
    const { at, phase } = runner.getState();
    // After the lead is confirmed, recording an error would store the visit again.
    if (phase === 'ended' || !filename.startsWith(`${location.origin}/`)) return;
    removeEventListener('error', onError);
    runner.record({ kind: 'failed', step: at, answers: {} });
  };
  addEventListener('error', onError);
}

/** Returns the screen that replaces a step. Never replaces a form in which the visitor types. */
export const insteadOf: NonNullable<ScreenParts['insteadOf']> = (data, context, state) => {
  const isAuthorization = HEALTH_AUTHORIZATION in state.errors;
  const isHidden = isAuthorization ? !isAuthorizing : state.screen === typedScreen;
  return isHidden ? undefined : loaded?.insteadOf(data, context, state);
};

/** Loads the code of the later steps, with the features that this survey uses. */
export async function loadLater(data: SurveyPageData) {
  const { survey, flow, fields, scripts, settings, asksWorth } = data;
  const { asksVisitorState } = settings;
  const [description, firms, worth, code, third] = await Promise.all([
    fields.case_description && import('../screens/description.tsx'),
    survey.buyers && import('./one-to-one.tsx'),
    asksWorth && import('../screens/worth-input.tsx'),
    survey.verifiesPhone && import('./code-dialog.tsx'),
    // A content blocker may block this file. The survey works without it.
    (scripts.length > 0 || asksVisitorState) &&
      import('../scripts/follow-scripts.ts').catch(() => undefined),
  ]);
  return {
    parts: {
      ...laterScreens,
      ...description,
      insteadOf,
      ...firms?.screenParts,
      inputs: worth && { current_compensation: worth.WorthInput },
    } as ScreenParts,
    /** Starts the loaded code. `ready` settles when the survey is interactive. */
    start(
      parts: RunnerParts,
      runner: Runner,
      details: ContactDetails,
      ready: Promise<unknown>,
    ): void {
      const { visit } = parts;
      const affid = affiliateOf(survey, visit);
      const oneToOne = firms?.createOneToOne(survey, visit, affid);
      const verifyPhone = code ? code.showCodeDialog : undefined;
      const authorize = () => {
        isAuthorizing = true;
        return loadRare(runner);
      };
      runner.bring(new FormSteps(parts, runner, { oneToOne, verifyPhone, loadRare: authorize }));
      if (third) {
        runner.awaitScripts = third.followScripts(parts, runner, affid, third.scriptPage(ready));
        if (asksVisitorState && !visit.state) {
          void third.findState((state) => {
            keepTypedForm(runner);
            runner.learnState(listedState(state, settings));
          });
        }
      }
      void forgetOldVisits(parts.queue.outbox, visit.session.lead_id);
      slideScreens(runner);
      // Measuring is optional, and a content blocker may block this file.
      import('../scripts/page-speed.ts').then(
        (speed) => speed.reportSpeed(parts.state.at),
        () => undefined,
      );
      recordPageError(runner);
      loadEarlyEnd(runner, parts);
      window.addEventListener('keydown', takeAnswerKey);
      if (!settings.prefill || Object.keys(details).length === 0) return;
      rare()
        .then(({ prefill }) => prefill(runner, flow, details, affid))
        .catch(() => undefined);
    },
  };
}
