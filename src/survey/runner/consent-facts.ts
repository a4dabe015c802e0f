import { seenText } from '../../domain/seen-consent.ts';

const STEPS = 20;
const thresholds = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS);
/** A text counts as wholly in view from this share on: edges may lie between two pixels. */
const WHOLE = 0.99;

let watched: { readonly text: HTMLElement; readonly describe: () => string } | undefined;

/**
 * Watches how far the consent text is really in view (docs/evidence.md), once for each element. Nothing typed is read,
 * and no movement recorded.
 *
 * @returns a function that describes it at the press of the button; undefined if that fails
 */
export function watchConsent(text: HTMLElement | null): () => string | undefined {
  if (text && text !== watched?.text) watched = { text, describe: watch(text) };
  return () => {
    try {
      return watched?.describe();
    } catch {
      return undefined;
    }
  };
}

function watch(text: HTMLElement): () => string {
  const form = text.closest('form');
  let [from, to, anyMs, wholeMs, ratio] = [100, 0, 0, 0, 0];
  let since = performance.now();
  let isHidden = document.hidden;
  let how: 'button' | 'enter' = 'button';
  let focusedAt = form?.contains(document.activeElement) ? since : undefined;

  const tick = (next?: IntersectionObserverEntry) => {
    const at = performance.now();
    if (!isHidden) {
      if (ratio > 0) anyMs += at - since;
      if (ratio >= WHOLE) wholeMs += at - since;
    }
    since = at;
    isHidden = document.hidden;
    if (!next) return;
    ratio = next.intersectionRatio;
    const { intersectionRect: seen, boundingClientRect: box } = next;
    if (ratio === 0 || box.height === 0) return;
    from = Math.min(from, ((seen.top - box.top) / box.height) * 100);
    to = Math.max(to, ((seen.bottom - box.top) / box.height) * 100);
  };
  const observer = new IntersectionObserver((entries) => entries.forEach(tick), {
    threshold: thresholds,
  });
  observer.observe(text);
  document.addEventListener('visibilitychange', () => tick());
  form?.addEventListener('focusin', () => {
    focusedAt ??= performance.now();
  });
  // The last of these before a submit says how it was sent. A press of Enter in a field also clicks the button.
  form?.addEventListener('pointerdown', () => {
    how = 'button';
  });
  form?.addEventListener('keydown', ({ key, target }) => {
    const isField = target instanceof HTMLInputElement;
    if (key === 'Enter' || !isField) how = key === 'Enter' && isField ? 'enter' : 'button';
  });

  return () => {
    observer.takeRecords().forEach(tick);
    tick();
    const { width, height } = text.getBoundingClientRect();
    const root = document.documentElement;
    const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    return seenText({
      how,
      pressedAt: new Date().toISOString(),
      focusBeforeMs: focusedAt === undefined ? null : Math.round(since - focusedAt),
      viewport: [innerWidth, innerHeight],
      pixelRatio: rounded(devicePixelRatio),
      zoom: rounded(visualViewport?.scale ?? 1),
      language: navigator.language,
      theme: `${root.dataset.theme ?? ''} ${root.dataset.scheme ?? scheme}`.trim(),
      size: [Math.round(width), Math.round(height)],
      fontSize: rounded(Number.parseFloat(getComputedStyle(text).fontSize)),
      contrast: rounded(contrastOf(text)),
      inView: from < to ? [Math.round(from), Math.round(to)] : [0, 0],
      inViewMs: Math.round(anyMs),
      wholeInViewMs: Math.round(wholeMs),
      label: form?.querySelector('[type=submit]')?.textContent ?? '',
    });
  };
}

function rounded(value: number): number {
  return +value.toFixed(2);
}

/** Returns the contrast of an element's text with the colours behind it (WCAG 2). */
function contrastOf(element: HTMLElement): number {
  const canvas = document.createElement('canvas').getContext('2d');
  if (!canvas) return 0;
  const paint = (colour: string) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
  };
  /** Relative luminance (WCAG 2) with its 0.05 of stray light. */
  const light = () =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const share = (canvas.getImageData(0, 0, 1, 1).data[index] ?? 0) / 255;
      return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
    }, 0.05);
  // The canvas understands every colour that the style sheet does.
  const behind: string[] = [];
  for (let each: Element | null = element; each; each = each.parentElement) {
    behind.unshift(getComputedStyle(each).backgroundColor);
  }
  for (const colour of ['#fff', ...behind]) paint(colour);
  const background = light();
  paint(getComputedStyle(element).color);
  const ratio = light() / background;
  return Math.max(ratio, 1 / ratio);
}
