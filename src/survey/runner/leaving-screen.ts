import type { Answers } from '../../domain/answers.ts';

/** As long as the slide of docs/specification.md#survey-screen takes. */
const SLIDE_MS = 500;

/** Where the bar stood when it was looked at last. */
let reached = 0;

/** Moves the bar to where it stands now, by the compositor alone: it is stretched from where it was. */
function moveBar(): void {
  const bar = document.querySelector('progress');
  if (!bar) return;
  const isStill = bar.value === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!isStill) bar.animate({ transform: [`scaleX(${reached / bar.value})`, 'none'] }, SLIDE_MS);
  reached = bar.value;
}

/**
 * Shows a screen that React has taken out of the page once more, on its way out, with its chosen answer
 * marked. It is only a picture: nothing in it can be reached, has a name or an id, and nothing waits for
 * it. It goes after the slide, or when the next screen comes.
 *
 * @param old the screen that left
 * @param now the one that took its place
 * @param chosen its answers, where it was answered
 */
export function showLeaving(old: HTMLElement, now: HTMLElement, chosen: Answers = {}): void {
  for (const earlier of document.querySelectorAll('.leaving')) earlier.remove();
  const given: Readonly<Record<string, string>> = chosen;
  let mark: Element | undefined;
  for (const each of old.querySelectorAll('[id],[name],[for]')) {
    // Of two buttons that both match, the later one says more.
    if (
      each.matches('.choices *') &&
      given[each.getAttribute('name') ?? ''] === each.getAttribute('value')
    ) {
      mark = each;
    }
    for (const name of ['id', 'name', 'for', 'aria-pressed']) each.removeAttribute(name);
  }
  mark?.setAttribute('aria-pressed', 'true');
  for (const name of ['data-step', 'data-kind']) old.removeAttribute(name);
  old.className = `leaving ${now.className}`;
  old.inert = true;
  old.ariaHidden = 'true';
  now.before(old);
  moveBar();
  setTimeout(() => old.remove(), SLIDE_MS);
}
