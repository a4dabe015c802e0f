import type { VisitState } from '../../../model/visit/state.ts';
import type { Runner } from './runner.ts';

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
