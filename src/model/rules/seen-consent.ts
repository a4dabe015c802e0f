/** Maximum size of the posted text, in bytes. */
export const SEEN_BYTES = 300;

export type SeenConsent = {
  /** How the visitor sent the form. */
  readonly how: 'button' | 'enter';
  /** Width and height, in CSS pixels. */
  readonly viewport: readonly [number, number];
  readonly pixelRatio: number;
  /** The scale of the pinch zoom. */
  readonly zoom: number;
  readonly language: string;
  /** The theme of the page and the colour scheme of the browser. */
  readonly theme: string;
  /** Width and height of the consent text, in CSS pixels. */
  readonly size: readonly [number, number];
  readonly fontSize: number;
  /** The contrast ratio of text and background, from 1 to 21. */
  readonly contrast: number;
  /** Start and end of each visible part, in percent of the text's height. */
  readonly inView: readonly number[];
  /** The time for which any part of the text was visible. */
  readonly inViewMs: number;
  /** The time for which the whole text was visible. */
  readonly wholeInViewMs: number;
  /** The time at which the visitor sent the form, by the browser's clock (ISO 8601). */
  readonly pressedAt: string;
  /** The time from the first focus on a field to the sending of the form. */
  readonly focusBeforeMs: number | null;
  /** The label of the pressed button. */
  readonly label: string;
};

/** The number of equal slices into which the consent text is divided. */
export const SLICES = 20;
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

function readParts(text: string): readonly number[] | undefined {
  const slices = Number.parseInt(text || ALL, 36);
  return /^[\da-z]{0,4}$/.test(text) && slices <= Number.parseInt(ALL, 36)
    ? partsOf(slices)
    : undefined;
}

const ALL = (2 ** SLICES - 1).toString(36);
/** The browser does not post these usual values. */
const USUAL = { zoom: '1', inView: ALL };
const SCHEMES = { l: 'light', d: 'dark' } as const;
const scheme = new RegExp(`\\b(?:${Object.values(SCHEMES).join('|')})$`);

/** Encodes how much of the consent text the visitor saw. */
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

function numbers(text: string, separator: string, count: number): number[] | undefined {
  const all = text.split(separator);
  return all.length === count && all.every((each) => /^\d{1,9}(\.\d{1,3})?$/.test(each))
    ? all.map(Number)
    : undefined;
}

const encoder = new TextEncoder();

/** Decodes a text of `seenText`, or returns the error. */
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
