import type { JourneyState } from '../../journey/state.ts';
import type { Runner } from './runner.ts';

/** As long as the slide of docs/specification.md#survey-screen takes. */
const SLIDE_MS = 500;

/** Where the bar stood when it was looked at last. */
let reached = 0;

/** Moves the bar to where it stands now, by the compositor alone: it is stretched from where it was. */
function moveBar(isStill: boolean): void {
  const bar = document.querySelector('progress');
  if (!bar) return;
  if (!isStill && bar.value > 0) {
    bar.animate({ transform: [`scaleX(${reached / bar.value})`, 'none'] }, SLIDE_MS);
  }
  reached = bar.value;
}

/** What was pressed to leave a screen: its chosen answer, or the button of its form. */
function pressedOn(screen: Element, { given }: JourneyState, step: string): Element | null {
  const answers: Readonly<Record<string, string>> = given[step] ?? {};
  const chosen = [...screen.querySelectorAll<HTMLButtonElement>('.choices > button')].filter(
    ({ name, value }) => answers[name] === value,
  );
  // Of two buttons that both match, the later one says more.
  return chosen.at(-1) ?? screen.querySelector('.form > .button');
}

/** Where a button stands in the card of the next screen, and the class of the group that it is in, which its style asks for. */
type Place = { readonly button: Element; readonly group: string; readonly box: DOMRect };

function placeOf(button: Element, card: Element): Place {
  // The first screen's card stands lower than the next one's.
  const { left, top } = (card.closest('.survey--first') ?? card).getBoundingClientRect();
  const { x, y, width, height } = button.getBoundingClientRect();
  const group = button.parentElement?.className ?? '';
  return { button, group, box: new DOMRect(x - left, y - top, width, height) };
}

/** What stands there once more, of a button that has left the page. */
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
 * Shows what was pressed once more when its screen has left, on its way out and marked as chosen, and not
 * where motion is to be reduced. It is only a picture: nothing in it can be reached or has a name, and
 * nothing waits for it. It goes after the slide, or when the next screen comes. It is of
 * one button and not of the screen, which would be laid out and painted a second time with every tap
 * (docs/decisions/0032-page-loading.md).
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
    // Asked before the next screen is drawn, while the page is laid out as it was.
    const place = pressed && card ? placeOf(pressed, card) : undefined;
    requestAnimationFrame(() => {
      for (const earlier of document.querySelectorAll('.leaving')) earlier.remove();
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      moveBar(isStill);
      const coming = document.querySelector('[data-step]')?.getAnimations()[0];
      // A frame that is so late that the next screen stands already shows no picture over it.
      if (!place || isStill || !coming) return;
      const picture = pictureOf(place);
      card?.append(picture);
      // Both slides begin at the same time, whichever frame each was drawn in: they never lie over each other.
      const sync = () => {
        for (const slide of picture.getAnimations({ subtree: true }))
          slide.startTime = coming.startTime;
      };
      coming.ready.then(sync, () => picture.remove());
      picture.onanimationend = () => picture.remove();
    });
  });
}
