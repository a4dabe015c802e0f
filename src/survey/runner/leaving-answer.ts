import type { JourneyState } from '../../journey/state.ts';
import type { Runner } from './runner.ts';

/** docs/specification.md#survey-screen: duration of the slide. */
const SLIDE_MS = 500;

/** The bar's value before the last move. */
let reached = 0;

/** Animates the bar from its last value to the present one, on the compositor. */
function moveBar(isStill: boolean): void {
  const bar = document.querySelector('progress');
  if (!bar) return;
  if (!isStill && bar.value > 0) {
    bar.animate({ transform: [`scaleX(${reached / bar.value})`, 'none'] }, SLIDE_MS);
  }
  reached = bar.value;
}

/** Returns the button that left a screen: its chosen answer, or its form's button. */
function pressedOn(screen: Element, { given }: JourneyState, step: string): Element | null {
  const answers: Readonly<Record<string, string>> = given[step] ?? {};
  const chosen = [...screen.querySelectorAll<HTMLButtonElement>('.choices > button')].filter(
    ({ name, value }) => answers[name] === value,
  );
  // If several buttons match, the last one is the most specific.
  return chosen.at(-1) ?? screen.querySelector('.form > .button');
}

/** A button's box within the card, and the class of its group, which its style needs. */
type Place = { readonly button: Element; readonly group: string; readonly box: DOMRect };

function placeOf(button: Element, card: Element): Place {
  // The first screen's card is lower than the next one's.
  const { left, top } = (card.closest('.survey--first') ?? card).getBoundingClientRect();
  const { x, y, width, height } = button.getBoundingClientRect();
  const group = button.parentElement?.className ?? '';
  return { button, group, box: new DOMRect(x - left, y - top, width, height) };
}

/** Returns a copy of a removed button, at its old place. */
function pictureOf({ button, group, box }: Place): HTMLElement {
  const picture = document.createElement('div');
  picture.className = `leaving ${group}`;
  picture.inert = true;
  picture.ariaHidden = 'true';
  const { style } = picture;
  style.left = `${box.x}px`;
  style.top = `${box.y}px`;
  style.width = `${box.width}px`;
  style.height = `${box.height}px`;
  button.removeAttribute('name');
  if (button.matches('.choice')) button.setAttribute('aria-pressed', 'true');
  picture.append(button);
  return picture;
}

/**
 * Animates the pressed button out, marked as chosen, when its screen changes; not with reduced motion. The copy is
 * inert and unnamed, and is removed after the slide or with the next screen. It shows the button only: copying the
 * screen would lay it out and paint it twice with every tap (docs/decisions/0032-page-loading.md).
 */
export function showLeaving(runner: Pick<Runner, 'subscribe' | 'getState'>): void {
  let shown = runner.getState();
  runner.subscribe(() => {
    const left = shown;
    shown = runner.getState();
    if (shown.screen === left.screen) return;
    const screen = document.querySelector('[data-step]');
    const card = screen?.parentElement;
    const pressed = shown.direction === 'forward' && screen && pressedOn(screen, shown, left.at);
    // Measured before React draws the next screen.
    const place = pressed && card ? placeOf(pressed, card) : undefined;
    requestAnimationFrame(() => {
      for (const earlier of document.querySelectorAll('.leaving')) earlier.remove();
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      moveBar(isStill);
      const coming = document.querySelector('[data-step]')?.getAnimations()[0];
      // If this frame is late, the next screen has already arrived.
      if (!place || isStill || !coming) return;
      const picture = pictureOf(place);
      card?.append(picture);
      // Both slides start at the same time, so that they never overlap.
      const sync = () => {
        for (const slide of picture.getAnimations({ subtree: true }))
          slide.startTime = coming.startTime;
      };
      coming.ready.then(sync, () => picture.remove());
      picture.onanimationend = () => picture.remove();
    });
  });
}
