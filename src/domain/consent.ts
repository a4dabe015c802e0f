/**
 * Whether a consent counts: only one that was given to a text of ours. The proof that 47 CFR
 * 64.1200(f)(9) and 16 CFR 310.5 ask for is of a text that was shown, so a lead that names another
 * text, or one that was not published yet, is no lead to call on.
 */
import type { Language } from './language.ts';

/** Which text a visitor sees: the usual one, that about a ticket, or one of the two of one-to-one consent. */
export type ConsentKind = 'general' | 'ticket' | 'buyers' | 'abbreviated';

/** One text that was ever published, with the company's name in it. */
export type PublishedConsent = {
  readonly version: string;
  readonly kind: ConsentKind;
  /** Another kind that it was shown as, too. */
  readonly alsoFor?: ConsentKind | undefined;
  readonly language: Language;
  readonly text: string;
  /** The day on which it was published, yyyy-MM-dd. */
  readonly published: string;
};

/**
 * Why a consent does not count.
 * - `consent_unknown_version`: no text of that version was ever published
 * - `consent_other_text`: the text is not that of its version, or not of the kind that had to be shown
 * - `consent_before_text`: shown or given before the text was published
 * - `consent_in_future`: shown or given at a time that is still to come
 */
export type ConsentReason =
  | 'consent_unknown_version'
  | 'consent_other_text'
  | 'consent_before_text'
  | 'consent_in_future';

/** The published texts by version and wording. */
export type ConsentIndex = ReadonlyMap<string, ReadonlyMap<string, PublishedConsent>>;

/** What a post says of its consent; empty where it says nothing. Times as text, the browser's clock. */
export type GivenConsent = {
  readonly text: string;
  readonly version: string;
  readonly shownAt: string;
  readonly givenAt: string;
};

/** A day may begin elsewhere before it begins in Greenwich, and clocks are not all right. */
const GRACE_MS = 24 * 60 * 60 * 1000;

/** A text as it is compared: a page's line breaks and blanks are not part of it. */
function fold(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Prepares the published texts for `judgeConsent`: each is found folded, and as it was published. */
export function indexConsents(texts: readonly PublishedConsent[]): ConsentIndex {
  const index = new Map<string, Map<string, PublishedConsent>>();
  for (const each of texts) {
    const wordings = index.get(each.version) ?? new Map<string, PublishedConsent>();
    index.set(each.version, wordings.set(fold(each.text), each));
  }
  for (const wordings of index.values()) {
    for (const each of [...wordings.values()]) wordings.set(each.text, each);
  }
  return index;
}

/**
 * Why a consent does not count, or undefined where it does. A time that is not said, or cannot be read,
 * proves nothing either way.
 * @param kind the text that this lead's visitor had to see
 * @param now when the post was received
 */
export function judgeConsent(
  given: GivenConsent,
  kind: ConsentKind,
  index: ConsentIndex,
  now: Date,
): ConsentReason | undefined {
  const wordings = index.get(given.version);
  if (!wordings) return 'consent_unknown_version';
  // Nearly every text comes as it was published and need not be folded.
  const text = wordings.get(given.text) ?? wordings.get(fold(given.text));
  if (text === undefined || ![text.kind, text.alsoFor].includes(kind)) return 'consent_other_text';
  const times = [given.shownAt, given.givenAt].map((time) => Date.parse(time));
  const earliest = Date.parse(text.published) - GRACE_MS;
  if (times.some((time) => time < earliest)) return 'consent_before_text';
  const latest = now.getTime() + GRACE_MS;
  return times.some((time) => time > latest) ? 'consent_in_future' : undefined;
}
