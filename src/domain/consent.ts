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
  /** The day on which the next text took its place, yyyy-MM-dd; undefined: it is shown now. */
  readonly replaced?: string | undefined;
};

/** The text that a visitor had to see. */
export type ShownConsent = {
  readonly kind: ConsentKind;
  /** Of the survey; undefined: of none that is known. */
  readonly language: Language | undefined;
};

/**
 * Why a consent does not count.
 * - `consent_unknown_version`: no text of that version was ever published
 * - `consent_other_text`: the text is not that of its version, or not of the kind that had to be shown
 * - `consent_other_language`: the text is not in the survey's language
 * - `consent_replaced_text`: given long after another text had taken its place
 * - `consent_before_text`: shown or given before the text was published
 * - `consent_given_before_shown`: given before it was shown
 * - `consent_in_future`: shown or given at a time that is still to come
 */
export type ConsentReason =
  | 'consent_unknown_version'
  | 'consent_other_text'
  | 'consent_other_language'
  | 'consent_replaced_text'
  | 'consent_before_text'
  | 'consent_given_before_shown'
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
const DAY_MS = 24 * 60 * 60 * 1000;
const GRACE_MS = DAY_MS;
/**
 * A page with the replaced text may stand open or be restored for days. It is the press of its button that
 * counts, so a post that waits in a browser that is offline needs no longer period.
 */
const REPLACED_TEXT_MS = 7 * DAY_MS;
/** No post waits longer: an older time of the browser's is not believed, and the time of receipt counts. */
const OLDEST_GIVEN_MS = 30 * DAY_MS;
/** A clock may be set right between the two. */
const CLOCK_STEP_MS = 5 * 60 * 1000;

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
 * @param shown the text that this lead's visitor had to see
 * @param receivedAt when the post that brought it was received
 */
export function judgeConsent(
  given: GivenConsent,
  { kind, language }: ShownConsent,
  index: ConsentIndex,
  receivedAt: Date,
): ConsentReason | undefined {
  const wordings = index.get(given.version);
  if (!wordings) return 'consent_unknown_version';
  // Nearly every text comes as it was published and need not be folded.
  const text = wordings.get(given.text) ?? wordings.get(fold(given.text));
  if (text === undefined || ![text.kind, text.alsoFor].includes(kind)) return 'consent_other_text';
  if (language !== undefined && text.language !== language) return 'consent_other_language';
  const shownAt = Date.parse(given.shownAt);
  const givenAt = Date.parse(given.givenAt);
  const times = [shownAt, givenAt];
  const earliest = Date.parse(text.published) - GRACE_MS;
  if (times.some((time) => time < earliest)) return 'consent_before_text';
  const received = receivedAt.getTime();
  if (times.some((time) => time > received + GRACE_MS)) return 'consent_in_future';
  if (givenAt < shownAt - CLOCK_STEP_MS) return 'consent_given_before_shown';
  const counted = received - givenAt <= OLDEST_GIVEN_MS ? givenAt : received;
  const last = Date.parse(text.replaced ?? '') + REPLACED_TEXT_MS + GRACE_MS;
  return counted > last ? 'consent_replaced_text' : undefined;
}
