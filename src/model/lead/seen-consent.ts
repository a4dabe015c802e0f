import * as v from 'valibot';

/** Excludes characters that PostgreSQL or canonical JSON may refuse. */
const text = v.pipe(v.string(), v.maxLength(40), v.regex(/^[^\p{Cc}\p{Cs}]*$/u));
const size = v.pipe(v.number(), v.minValue(0), v.maxValue(1e9));
const ms = v.pipe(size, v.integer());

/** How a visitor saw the consent text, as the page posts it (docs/evidence.md). */
const seenForm = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({
    /** How the visitor sent the form. */
    how: v.picklist(['button', 'enter']),
    /** Width and height, in CSS pixels. */
    viewport: v.strictTuple([size, size]),
    pixelRatio: size,
    /** The scale of the pinch zoom. */
    zoom: size,
    language: text,
    /** The theme of the page and the colour scheme of the browser. */
    theme: text,
    /** Width and height of the consent text, in CSS pixels. */
    size: v.strictTuple([size, size]),
    fontSize: size,
    /** The contrast ratio of text and background, from 1 to 21. */
    contrast: size,
    /** Start and end of each visible part, in percent of the text's height. */
    inView: v.pipe(v.array(size), v.maxLength(20)),
    /** The time for which any part of the text was visible. */
    inViewMs: ms,
    /** The time for which the whole text was visible. */
    wholeInViewMs: ms,
    /** The time at which the visitor sent the form, by the browser's clock (ISO 8601). */
    pressedAt: v.pipe(v.string(), v.isoTimestamp()),
    /** The time from the first focus on a field to the sending of the form. */
    focusBeforeMs: v.nullable(ms),
    /** The label of the pressed button. */
    label: text,
  }),
);

export type SeenConsent = v.InferOutput<typeof seenForm>;

/** Returns the posted measurement of a consent text, or an error. */
export function readSeen(posted: unknown): SeenConsent | 'not_sent' | 'malformed' {
  if (posted === undefined || posted === null || posted === '') return 'not_sent';
  const { success, output } = v.safeParse(seenForm, posted);
  return success ? output : 'malformed';
}
