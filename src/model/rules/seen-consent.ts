/** What the page measured of the consent text's visibility (docs/evidence.md), posted as `consent_seen`. */

/** The longest posted text, in bytes. */
export const SEEN_BYTES = 300;

export type SeenConsent = {
  /** How the form was sent. */
  readonly how: 'button' | 'enter';
  /** Width and height in CSS pixels. */
  readonly viewport: readonly [number, number];
  /** Device pixels for a CSS pixel; and how far the visitor had zoomed in with two fingers. */
  readonly pixelRatio: number;
  readonly zoom: number;
  /** The browser's language. */
  readonly language: string;
  /** The colour scheme of the browser: `light` or `dark`; the page's theme follows, if it has one. */
  readonly theme: string;
  /** Width and height of the consent text in CSS pixels. */
  readonly size: readonly [number, number];
  /** In CSS pixels. */
  readonly fontSize: number;
  /** Contrast ratio of text and background (WCAG 2), 1 to 21. */
  readonly contrast: number;
  /** The parts of the text that were in view at some time before the press: from, to, from, to, … in percent of its height. */
  readonly inView: readonly number[];
  /** How long any part, and the whole text, was in view before the press, in milliseconds. */
  readonly inViewMs: number;
  readonly wholeInViewMs: number;
  /** When the form was sent, by the browser's clock (ISO 8601). */
  readonly pressedAt: string;
  /** How long before the press the visitor first focused a field, in milliseconds; null: never. */
  readonly focusBeforeMs: number | null;
  /** What the pressed button said. */
  readonly label: string;
};

/** The text is seen in this many slices of the same height. */
export const SLICES = 20;
const SLICE = 100 / SLICES;
/** How much of a slice may be missing: edges may lie between two pixels. In percent of the text. */
const EDGE = 0.5;

/** Returns the slices that lie wholly in a part of the text, a bit for each. @param from in percent of its height */
export function slicesBetween(from: number, to: number): number {
  let slices = 0;
  for (let at = 0; at < SLICES; at += 1) {
    if (from <= at * SLICE + EDGE && to >= (at + 1) * SLICE - EDGE) slices |= 1 << at;
  }
  return slices;
}

/** Returns the parts that slices make up, as `inView` has them. */
export function partsOf(slices: number): number[] {
  const edges: number[] = [];
  for (let at = 0; at <= SLICES; at += 1) {
    const isSeen = (slices >> at) & 1;
    if (isSeen !== edges.length % 2) edges.push(at * SLICE);
  }
  return edges;
}

/** Reads the slices that were in view: nothing for all of them. */
function readParts(text: string): readonly number[] | undefined {
  const slices = Number.parseInt(text || ALL, 36);
  return /^[\da-z]{0,4}$/.test(text) && slices <= Number.parseInt(ALL, 36)
    ? partsOf(slices)
    : undefined;
}

const ALL = (2 ** SLICES - 1).toString(36);
/** What most pages say is left out, since each lead keeps the text. */
const USUAL = { zoom: '1', inView: ALL };
const SCHEMES = { l: 'light', d: 'dark' } as const;
const scheme = new RegExp(`\\b(?:${Object.values(SCHEMES).join('|')})$`);

/**
 * Returns the posted text. Times are in base 36.
 * @param slices those that were in view
 */
export function seenText(slices: number, seen: Omit<SeenConsent, 'inView'>): string {
  const { viewport, size, zoom, theme } = seen;
  const unlessUsual = (name: keyof typeof USUAL, text: string) =>
    text === USUAL[name] ? '' : text;
  const times = [seen.inViewMs, seen.wholeInViewMs, seen.focusBeforeMs, Date.parse(seen.pressedAt)];
  const first = [
    ...[seen.how === 'enter' ? 'e' : 'b', viewport.join('x'), seen.pixelRatio],
    ...[
      unlessUsual('zoom', `${zoom}`),
      seen.language,
      theme.replace(scheme, (word) => word.charAt(0)),
    ],
    ...[size.join('x'), seen.fontSize, seen.contrast, unlessUsual('inView', slices.toString(36))],
    ...times.map((ms) => ms?.toString(36) ?? ''),
  ].map((part) => `${part}`.replaceAll('|', ' ').slice(0, 24));
  return `${first.join('|')}|${seen.label.replaceAll(/\s+/g, ' ').trim().slice(0, 40)}`;
}

/** Reads numbers that are at least 0. @returns undefined if the text has another form */
function numbers(text: string, separator: string, count: number): number[] | undefined {
  const all = text.split(separator);
  return all.length === count && all.every((each) => /^\d{1,9}(\.\d{1,3})?$/.test(each))
    ? all.map(Number)
    : undefined;
}

const encoder = new TextEncoder();

/** Reads the posted text. @returns why there is nothing to read: `not_sent`, `too_long` or `malformed` */
export function readSeen(posted: unknown): SeenConsent | 'not_sent' | 'too_long' | 'malformed' {
  if (posted === undefined || posted === null || posted === '') return 'not_sent';
  if (typeof posted !== 'string' || !posted.isWellFormed()) return 'malformed';
  if (posted.length > SEEN_BYTES || encoder.encode(posted).length > SEEN_BYTES) return 'too_long';
  const parts = posted.split('|');
  const [how, view = '', ratio = '', zoom = '', language = '', theme = '', size = ''] = parts;
  const [font = '', contrast = '', part = '', ...times] = parts.slice(7, 14);
  const label = parts.slice(14).join('|');
  const viewport = numbers(view, 'x', 2);
  const box = numbers(size, 'x', 2);
  const inView = readParts(part);
  const all = numbers([ratio, zoom || USUAL.zoom, font, contrast].join('|'), '|', 4);
  if (parts.length < 15 || (how !== 'b' && how !== 'e')) return 'malformed';
  const [any = '', whole = '', focus = '', at = ''] = times;
  if (![any, whole, focus || '0', at].every((each) => /^[\da-z]{1,8}$/.test(each))) {
    return 'malformed';
  }
  if (!viewport || !box || !inView || !all) return 'malformed';
  const [pixelRatio, scale, fontSize, ratioOfContrast] = all;
  const ms = (text: string) => Number.parseInt(text, 36);
  return {
    how: how === 'e' ? 'enter' : 'button',
    viewport: viewport as [number, number],
    pixelRatio: pixelRatio as number,
    zoom: scale as number,
    language,
    theme: theme.replace(/\b[ld]$/, (short) => SCHEMES[short as keyof typeof SCHEMES]),
    size: box as [number, number],
    fontSize: fontSize as number,
    contrast: ratioOfContrast as number,
    inView,
    inViewMs: ms(any),
    wholeInViewMs: ms(whole),
    pressedAt: new Date(ms(at)).toISOString(),
    focusBeforeMs: focus === '' ? null : ms(focus),
    label,
  };
}
