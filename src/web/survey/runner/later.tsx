import type { AskedFieldName } from '../../../model/fields/answers.ts';
import type { ContactDetails } from '../../../model/fields/contact-parameters.ts';
import type { VisitState } from '../../../model/visit/state.ts';
import { listedState } from '../../../model/visit/visit.ts';
import { forgetOldVisits } from '../queue/forget-old.ts';
import { goToNextField, laterScreens, rare } from '../screens/later-screens.tsx';
import type { ScreenParts, SurveyPageData } from '../screens/screen-props.ts';
import { FormSteps } from './form-steps.ts';
import type { Runner, RunnerParts } from './runner.ts';

/** The module `rare.tsx` after it has been loaded. */
let loaded: Awaited<ReturnType<typeof rare>> | undefined;
/** The index of the screen on which the visitor was typing when `rare.tsx` was loaded. */
let typedScreen: number | undefined;

/** Loads the early-end screen (`rare.tsx`), which replaces the contact step if the answers already decide the case. */
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
        const isTyped = Object.entries(drafts[at] ?? {}).some(
          ([field, value]) => prefilled[at]?.[field as AskedFieldName] !== value,
        );
        if (isTyped) typedScreen = screen;
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
 * Records the first error of our own scripts as an entry of the visit, so that the console counts
 * visits with errors. Scripts of third parties and browser extensions are ignored, since they have
 * another origin or none. Errors before the page is idle are not seen.
 */
export function recordPageError(runner: Pick<Runner, 'getState' | 'record'>): void {
  const onError = ({ filename }: ErrorEvent) => {
    const { at, phase } = runner.getState();
    // Ignores errors after the lead is confirmed, because recording one would store the visit
    // again.
    if (phase === 'ended' || !filename.startsWith(`${location.origin}/`)) return;
    removeEventListener('error', onError);
    runner.record({ kind: 'failed', step: at, answers: {} });
  };
  addEventListener('error', onError);
}

/** Returns the screen that replaces a step, if any. A form in which the visitor is typing is never replaced. */
export const insteadOf: NonNullable<ScreenParts['insteadOf']> = (data, context, state) =>
  state.screen === typedScreen ? undefined : loaded?.insteadOf(data, context, state);

type Start = {
  /** The contact details in the query of the landing page's URL. */
  readonly details: ContactDetails;
  readonly affid: string;
  /** Settles when the survey is interactive. */
  readonly ready: Promise<unknown>;
};

/**
 * Loads the code of the steps after the first question, with the features that this survey uses:
 * one-to-one consent, the estimator, phone verification, third-party scripts.
 */
export async function loadLater({ survey, flow, scripts, settings, asksWorth }: SurveyPageData) {
  const { asksVisitorState, dateOfBirthStates } = settings;
  const [firms, worth, code, third] = await Promise.all([
    survey.buyers && import('./one-to-one.tsx'),
    asksWorth && import('../screens/worth-input.tsx'),
    survey.verifiesPhone && import('./code-dialog.tsx'),
    // A content blocker may block this file. Its failure is ignored, because the survey works
    // without this file.
    (scripts.length > 0 || asksVisitorState) &&
      import('../scripts/follow-scripts.ts').catch(() => undefined),
  ]);
  return {
    parts: {
      ...laterScreens,
      goToNextField,
      insteadOf,
      ...firms?.screenParts,
      inputs: worth && { current_compensation: worth.WorthInput },
    } as ScreenParts,
    start(parts: RunnerParts, runner: Runner, { details, affid, ready }: Start): void {
      const { visit } = parts;
      const oneToOne = firms?.createOneToOne(survey, visit, affid);
      const verifyPhone = code ? code.showCodeDialog : undefined;
      runner.bring(new FormSteps(parts, runner, { oneToOne, verifyPhone }));
      if (third) {
        runner.awaitScripts = third.followScripts(parts, runner, affid, third.scriptPage(ready));
        if (asksVisitorState && !visit.state) {
          void third.findState((state) => runner.learnState(listedState(state, dateOfBirthStates)));
        }
      }
      void forgetOldVisits(parts.queue.outbox, visit.session.lead_id);
      slideScreens(runner);
      recordPageError(runner);
      loadEarlyEnd(runner, parts.context.today.year);
      window.addEventListener('keydown', takeAnswerKey);
      if (!settings.prefill || Object.keys(details).length === 0) return;
      // If prefilling fails, the visitor types the contact details.
      rare()
        .then(({ prefill }) => prefill(runner, flow, details, affid))
        .catch(() => undefined);
    },
  };
}

/** Matches elements that handle key presses themselves, such as inputs. */
const TYPING = 'input,select,textarea,dialog,[contenteditable]';

export type AnswerKey = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey' | 'repeat' | 'defaultPrevented'
>;

/**
 * Returns the index (from 0) of the answer that a key chooses. A digit chooses the answer with that
 * number. Y or S chooses the first answer that begins with Yes or Sí, and N one with No. Undefined
 * for other keys, modifiers and repeats.
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

/** Clicks the answer that the pressed key chooses. */
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

/** The animation in which a screen slides: half a second (docs/specification.md#survey-screen). */
const slide = {
  duration: 500,
  easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
  fill: 'backwards',
} as const;

let reached = 0;

/** Animates the progress bar from its previous value to its new value. */
function moveBar(): void {
  const bar = document.querySelector('progress');
  if (!bar) return;
  if (bar.value > 0) {
    bar.animate({ transform: [`scaleX(${reached / bar.value})`, 'none'] }, slide.duration);
  }
  reached = bar.value;
}

/** Returns the pressed button of a screen: the chosen answer, or the form's submit button. */
function pressedOn(screen: Element, { given }: VisitState, step: string): Element | null {
  const answers: Readonly<Record<string, string>> = given[step] ?? {};
  const chosen = [...screen.querySelectorAll<HTMLButtonElement>('.choices > button')].filter(
    ({ name, value }) => answers[name] === value,
  );
  // If several buttons match the answers, the last one matches most closely.
  return chosen.at(-1) ?? screen.querySelector('.form > .button');
}

/** Returns an inert, unnamed copy of the pressed button, positioned over the button. */
function copyOf(button: Element, card: Element): HTMLElement {
  const copy = button.cloneNode(true) as HTMLElement;
  copy.classList.add('leaving');
  copy.removeAttribute('name');
  if (copy.matches('.choice')) copy.ariaPressed = 'true';
  copy.inert = true;
  copy.ariaHidden = 'true';
  // The first screen's card is lower on the page than later cards, so there the position is
  // measured from the section.
  const { left, top } = (card.closest('.survey--first') ?? card).getBoundingClientRect();
  const { x, y, width, height } = button.getBoundingClientRect();
  copy.style.cssText = `left:${x - left}px;top:${y - top}px;width:${width}px;height:${height}px`;
  return copy;
}

/**
 * Removes the focus from the heading and from buttons. Removing a focused element would force a
 * layout, and a second Enter on a reused button would answer the next question. An input keeps the
 * focus, so that a phone's keyboard stays open.
 */
function releaseFocus(): void {
  const focused = document.activeElement as HTMLElement | null;
  if (focused?.matches('#question, .survey button')) focused.blur();
}

/**
 * Slides a new screen in and a copy of the pressed button out, unless the visitor prefers reduced
 * motion. Only the button is copied, because copying the whole screen would slow every tap
 * (docs/decisions/0032-page-loading.md).
 */
export function slideScreens(runner: Pick<Runner, 'subscribe' | 'getState'>): void {
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let shown = runner.getState();
  runner.subscribe(() => {
    const left = shown;
    shown = runner.getState();
    if (shown.screen === left.screen) return;
    releaseFocus();
    if (reducedMotion.matches) return;
    const isForward = shown.direction === 'forward';
    const screen = document.querySelector('[data-step]');
    const card = screen?.parentElement;
    const button = isForward && screen && pressedOn(screen, shown, left.at);
    // Copies the button before React renders the next screen.
    const copy = button && card && copyOf(button, card);
    requestAnimationFrame(() => {
      for (const earlier of document.querySelectorAll('.leaving')) earlier.remove();
      moveBar();
      const next = document.querySelector('[data-step]');
      next?.animate({ transform: [`translateX(${isForward ? '' : '-'}100%)`, 'none'] }, slide);
      if (!copy) return;
      next?.parentElement?.append(copy);
      // Moves the copy at least as far as the next screen, so that it never covers that screen.
      const out = { opacity: [1, 0], transform: ['none', 'translateX(max(-100vw, -45rem))'] };
      copy.animate(out, { ...slide, fill: 'forwards' }).onfinish = () => copy.remove();
    });
  });
}
