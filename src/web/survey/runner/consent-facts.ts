import type { SeenConsent } from '../../../model/lead/seen-consent.ts';

/** The number of equal slices into which the consent text is divided. */
const SLICES = 20;
const SLICE = 100 / SLICES;
/** Tolerance for an edge between two pixels, in percent of the text's height. */
const EDGE = 0.5;

/** Returns a bit mask of the slices between two heights, in percent. */
export function slicesBetween(from: number, to: number): number {
  let slices = 0;
  for (let at = 0; at < SLICES; at += 1) {
    if (from <= at * SLICE + EDGE && to >= (at + 1) * SLICE - EDGE) slices |= 1 << at;
  }
  return slices;
}

/** Returns start and end of each part that a bit mask of slices covers, in percent. */
export function partsOf(slices: number): number[] {
  const edges: number[] = [];
  for (let at = 0; at <= SLICES; at += 1) {
    const isSeen = (slices >> at) & 1;
    if (isSeen !== edges.length % 2) edges.push(at * SLICE);
  }
  return edges;
}

const thresholds = Array.from({ length: SLICES + 1 }, (_, step) => step / SLICES);
/** A text with this visible share counts as fully visible: an edge may lie between two pixels. */
const WHOLE = 0.99;

let watched: { readonly text: HTMLElement; readonly describe: () => string } | undefined;

/**
 * Measures how much of the consent text is visible, and for how long (docs/evidence.md). Returns a
 * function that describes the measurement.
 */
export function watchConsent(text: HTMLElement | null): () => string | undefined {
  attempt(() => {
    if (text && text !== watched?.text) watched = { text, describe: watch(text) };
  });
  return () => attempt(() => watched?.describe());
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function watch(text: HTMLElement): () => string {
  const form = text.closest('form');
  let [slices, anyMs, wholeMs, ratio] = [0, 0, 0, 0];
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
    const { top, bottom } = next.intersectionRect;
    if (ratio > 0) see(top, bottom, next.boundingClientRect);
  };
  const see = (from: number, to: number, { top, height }: DOMRectReadOnly) => {
    const place = (edge: number) => ((edge - top) / height) * 100;
    if (!isHidden) slices |= slicesBetween(place(from), place(to));
  };
  const observer = new IntersectionObserver((entries) => entries.forEach(tick), {
    threshold: thresholds,
  });
  observer.observe(text);
  /** Makes the observer report the present position of the text. */
  const look = () => {
    observer.unobserve(text);
    observer.observe(text);
  };
  // If a tall text scrolls, its visible share can stay the same. The observer then reports nothing.
  document.addEventListener('scroll', () => ratio < WHOLE && look(), {
    capture: true,
    passive: true,
  });
  document.addEventListener('visibilitychange', () => {
    tick();
    look();
  });
  form?.addEventListener('focusin', () => {
    focusedAt ??= performance.now();
  });
  // `click` would not work here, because Enter in a field also clicks the button.
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
    const box = text.getBoundingClientRect();
    const { top, bottom, width, height } = box;
    // Survey pages have no nested scroll area, so only the window limits the visible part.
    see(Math.max(top, 0), Math.min(bottom, innerHeight), box);
    const root = document.documentElement;
    const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    const seen: SeenConsent = {
      how,
      inView: partsOf(slices),
      pressedAt: new Date().toISOString(),
      focusBeforeMs: focusedAt === undefined ? null : Math.round(since - focusedAt),
      viewport: [innerWidth, innerHeight],
      pixelRatio: rounded(devicePixelRatio),
      zoom: rounded(visualViewport?.scale ?? 1),
      language: navigator.language,
      theme: `${root.dataset.theme ?? ''} ${scheme}`.trim(),
      size: [Math.round(width), Math.round(height)],
      fontSize: rounded(Number.parseFloat(getComputedStyle(text).fontSize)),
      contrast: rounded(contrastOf(text)),
      inViewMs: Math.round(anyMs),
      wholeInViewMs: Math.round(wholeMs),
      label: (form?.querySelector<HTMLElement>('[type=submit]')?.innerText ?? '')
        .replace(/\s+/g, ' ')
        .slice(0, 40),
    };
    return JSON.stringify(seen);
  };
}

function rounded(value: number): number {
  return +value.toFixed(2);
}

/** Returns the contrast between an element's text and the colours behind it (WCAG 2). */
function contrastOf(element: HTMLElement): number {
  const canvas = document.createElement('canvas').getContext('2d');
  if (!canvas) return 0;
  const paint = (colour: string) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
  };
  /** Returns the relative luminance of a colour (WCAG 2) plus 0.05, as in the formula of the contrast. */
  const light = () =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
      const share = (canvas.getImageData(0, 0, 1, 1).data[index] ?? 0) / 255;
      return sum + weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
    }, 0.05);
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
