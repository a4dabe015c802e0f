import type { VisitState } from '../../../model/visit/state.ts';
import type { Runner } from './runner.ts';

/** The moves of a new screen and of the answer that left (docs/specification.md#survey-screen). */
const arriving = { duration: 200, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' } as const;
const leaving = { ...arriving, duration: 500, fill: 'forwards' } as const;

/** Returns the button that the visitor pressed to leave a screen. */
function pressedOn(screen: Element, { given }: VisitState, step: string): Element | null {
  const answers: Readonly<Record<string, string>> = given[step] ?? {};
  const chosen = [...screen.querySelectorAll<HTMLButtonElement>('.choices > button')].filter(
    ({ name, value }) => answers[name] === value,
  );
  // If several buttons match the answers, the last one matches most closely.
  return chosen.at(-1) ?? screen.querySelector('.form > .button');
}

/** Returns an inactive copy of the pressed button, placed exactly over the button. */
function copyOf(button: Element, card: Element): HTMLElement {
  const copy = button.cloneNode(true) as HTMLElement;
  copy.classList.add('leaving');
  copy.removeAttribute('name');
  if (copy.matches('.choice')) copy.ariaPressed = 'true';
  copy.inert = true;
  copy.ariaHidden = 'true';
  // Measures from the section, because the first card stands lower than the next card.
  const { left, top } = (card.closest('.survey--first') ?? card).getBoundingClientRect();
  const { x, y, width, height } = button.getBoundingClientRect();
  copy.style.cssText = `left:${x - left}px;top:${y - top}px;width:${width}px;height:${height}px`;
  return copy;
}

/** Removes a keyboard's focus from buttons, because Enter would answer the next question. */
function releaseFocus(): void {
  const focused = document.activeElement as HTMLElement | null;
  if (focused?.matches('button:focus-visible')) focused.blur();
}

/** Moves a new screen and the progress in, and the pressed button out. */
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
    const reached = document.querySelector('progress')?.value ?? 0;
    const button = isForward && screen && pressedOn(screen, shown, left.at);
    // This code copies the button now, because React is about to remove the button.
    const copy = button && card && copyOf(button, card);
    requestAnimationFrame(() => {
      document.querySelector('.leaving')?.remove();
      const next = document.querySelector('[data-step]');
      const from = `translateX(${isForward ? '' : '-'}2rem)`;
      next?.animate({ opacity: [0, 1], transform: [from, 'none'] }, arriving);
      const bar = document.querySelector('progress');
      bar?.animate({ transform: [`scaleX(${reached / bar.value})`, 'none'] }, arriving);
      if (!copy) return;
      next?.after(copy);
      const out = { opacity: 0, transform: 'translateX(max(-100vw, -45rem))' };
      copy.animate(out, leaving).onfinish = () => copy.remove();
    });
  });
}
