import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import type { AskedFieldName } from '../../../model/fields/answers.ts';
import type { ContactDetails } from '../../../model/fields/contact-parameters.ts';
import { stepOf } from '../../../model/flows/engine/flow.ts';
import type { WalkContext } from '../../../model/flows/engine/walk.ts';
import { reduce, type VisitState } from '../../../model/visit/state.ts';
import { stateThatCounts } from '../../../model/visit/visit.ts';
import { wait } from '../queue/requests.ts';
import { goToNextField, laterScreens, rare } from '../screens/later-screens.tsx';
import { noEvents, type ScreenParts, type SurveyPageData } from '../screens/screen-props.ts';
import { SurveyView } from '../screens/survey-view.tsx';
import { FormSteps } from './form-steps.ts';
import type { Runner, RunnerParts } from './runner.ts';

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

/** The parts of the screens after the first question. */
export const laterParts: ScreenParts = {
  ...laterScreens,
  goToNextField,
  // A form that the visitor is filling in must not change into another screen.
  insteadOf: (data, context, state) =>
    state.screen === typedScreen ? undefined : loaded?.insteadOf(data, context, state),
};

type Start = {
  /** The contact details of the landing address. */
  readonly details: ContactDetails;
  readonly affid: string;
  /** Settles when the survey is interactive. */
  readonly ready: Promise<unknown>;
};

/**
 * Loads the code for the steps after the first question, with the parts that only some surveys have: one-to-one consent,
 * the estimator, the code by SMS, scripts of third parties. The page does so when it is idle, or at once if it starts
 * with a form (entry.tsx).
 */
export async function loadLater({ survey, flow, scripts, settings, asksWorth }: SurveyPageData) {
  const { asksVisitorState, dateOfBirthStates } = settings;
  const [firms, worth, code, third] = await Promise.all([
    survey.buyers && import('./one-to-one.tsx'),
    asksWorth && import('../screens/worth-input.tsx'),
    survey.verifiesPhone && import('./code-dialog.tsx'),
    (scripts.length > 0 || asksVisitorState) && import('../scripts/follow-scripts.ts'),
  ]);
  return {
    parts: {
      ...laterParts,
      ...firms?.screenParts,
      inputs: worth && { current_compensation: worth.WorthInput },
    } as ScreenParts,
    warmUp,
    start(parts: RunnerParts, runner: Runner, { details, affid, ready }: Start): void {
      const { visit } = parts;
      const oneToOne = firms?.createOneToOne(survey, visit, affid);
      const verifyPhone = code ? code.showCodeDialog : undefined;
      runner.bring(new FormSteps(parts, runner, { oneToOne, verifyPhone }));
      if (third) {
        runner.awaitScripts = third.followScripts(parts, runner, affid, third.scriptPage(ready));
        if (asksVisitorState && !visit.state) {
          void third.findState((state) =>
            runner.learnState(stateThatCounts(state, dateOfBirthStates)),
          );
        }
      }
      showLeaving(runner);
      recordPageError(runner);
      loadEarlyEnd(runner, parts.context.today.year);
      window.addEventListener('keydown', takeAnswerKey);
      if (!settings.prefill || Object.keys(details).length === 0) return;
      // Without the code, or an answer, the visitor types the details.
      rare()
        .then(({ prefill }) => prefill(runner, flow, details, affid))
        .catch(() => undefined);
    },
  };
}

/** Enough time for a slow phone to draw a screen. */
const KEPT_MS = 1_000;

/**
 * Draws the next screen outside of the document and taps it, so that the browser has compiled that code before the
 * visitor's first tap: hydration runs other code of React (docs/decisions/0076-tap.md). Stops when the visitor taps.
 */
async function warmUp(
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

/** Elements that handle key presses themselves, such as inputs. */
const TYPING = 'input,select,textarea,dialog,[contenteditable]';

export type AnswerKey = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey' | 'repeat' | 'defaultPrevented'
>;

/**
 * Returns the index (from 0) of the answer that a key chooses: a digit by its number, Y or S and N the first
 * answer that begins with Yes (Sí) or No. Undefined for other keys, modifiers and repeats.
 *
 * @param labels the answers' texts
 */
export function answerOf(event: AnswerKey, labels: readonly string[]): number | undefined {
  const { key, ctrlKey, altKey, metaKey, shiftKey, repeat, defaultPrevented } = event;
  if (ctrlKey || altKey || metaKey || shiftKey || repeat || defaultPrevented) return undefined;
  if (/^[1-9]$/.test(key)) return Number(key) <= labels.length ? Number(key) - 1 : undefined;
  const word = { y: /^(yes|sí)(?!\p{L})/iu, s: /^sí(?!\p{L})/iu, n: /^no(?!\p{L})/iu }[key];
  const index = word ? labels.findIndex((label) => word.test(label)) : -1;
  return index < 0 ? undefined : index;
}

/** Clicks the answer on screen that a key press chooses. */
export function takeAnswerKey(event: KeyboardEvent): void {
  if ((event.target as Element).closest(TYPING) || document.querySelector('dialog[open]')) return;
  const buttons = [
    ...document.querySelectorAll<HTMLButtonElement>('[data-step] .choices button[value]'),
  ];
  const index = answerOf(
    event,
    buttons.map((button) => button.textContent),
  );
  if (index === undefined) return;
  event.preventDefault();
  buttons[index]?.click();
}

/** docs/specification.md#survey-screen: duration of the slide. */
const SLIDE_MS = 500;

let reached = 0;

/** Animates the bar from its last value to the present one, on the compositor. */
function moveBar(): void {
  const bar = document.querySelector('progress');
  if (!bar) return;
  if (bar.value > 0) {
    bar.animate({ transform: [`scaleX(${reached / bar.value})`, 'none'] }, SLIDE_MS);
  }
  reached = bar.value;
}

/** Returns the button that left a screen: its chosen answer, or its form's button. */
function pressedOn(screen: Element, { given }: VisitState, step: string): Element | null {
  const answers: Readonly<Record<string, string>> = given[step] ?? {};
  const chosen = [...screen.querySelectorAll<HTMLButtonElement>('.choices > button')].filter(
    ({ name, value }) => answers[name] === value,
  );
  // If several buttons match, the last one is the most specific.
  return chosen.at(-1) ?? screen.querySelector('.form > .button');
}

/** Returns an empty box with a button's place on the card, and the class of its group, which its style needs. */
function boxOf(button: Element, card: Element): HTMLElement {
  const box = document.createElement('div');
  box.className = `leaving ${button.parentElement?.className}`;
  box.inert = true;
  box.ariaHidden = 'true';
  // The first screen's card is lower than the next one's.
  const { left, top } = (card.closest('.survey--first') ?? card).getBoundingClientRect();
  const { x, y, width, height } = button.getBoundingClientRect();
  box.style.cssText = `left:${x - left}px;top:${y - top}px;width:${width}px;height:${height}px`;
  return box;
}

/**
 * Takes the focus from the heading and from buttons. Removing a focused element makes the browser lay out a half-changed
 * page, and a second Enter on a button that is reused would answer the next question. A field keeps its focus: losing it
 * would close the keyboard.
 */
function releaseFocus(): void {
  const focused = document.activeElement as HTMLElement | null;
  if (focused?.matches('#question, .survey button')) focused.blur();
}

/**
 * Animates a copy of the pressed button out, marked as chosen, when its screen changes; not with reduced motion. The
 * copy is inert and unnamed, and is removed after the slide or with the next screen. It shows the button only: copying
 * the screen would lay it out and paint it twice with every tap (docs/decisions/0076-tap.md).
 */
export function showLeaving(runner: Pick<Runner, 'subscribe' | 'getState'>): void {
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let shown = runner.getState();
  runner.subscribe(() => {
    const left = shown;
    shown = runner.getState();
    if (shown.screen === left.screen) return;
    releaseFocus();
    if (reducedMotion.matches) return;
    const screen = document.querySelector('[data-step]');
    const card = screen?.parentElement;
    const button = shown.direction === 'forward' && screen && pressedOn(screen, shown, left.at);
    // Measured before React draws the next screen.
    const box = button && card && boxOf(button, card);
    const pressed = box && (button.cloneNode(true) as Element);
    requestAnimationFrame(() => {
      for (const earlier of document.querySelectorAll('.leaving')) earlier.remove();
      moveBar();
      const next = document.querySelector('[data-step]');
      if (!box || !pressed || !next) return;
      pressed.removeAttribute('name');
      if (pressed.matches('.choice')) pressed.setAttribute('aria-pressed', 'true');
      box.append(pressed);
      next.parentElement?.append(box);
      // Asking for an animation computes the style of both, once.
      const coming = next.getAnimations()[0];
      // Both slides start at the same time, so that they never overlap.
      const sync = () => {
        for (const slide of box.getAnimations({ subtree: true }))
          slide.startTime = coming?.startTime ?? null;
      };
      // If this frame is late, the next screen has already arrived.
      if (!coming) box.remove();
      else coming.ready.then(sync, () => box.remove());
      box.onanimationend = () => box.remove();
    });
  });
}
