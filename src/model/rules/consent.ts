/**
 * Decides whether a consent is valid: it must refer to a consent text that we published. 47 CFR
 * 64.1200(f)(9) and 16 CFR 310.5 require proof of the text that was shown. So a lead with another
 * text, or with a text not yet published, must not be called.
 */

import type { Language } from '../fields/language.ts';
import { namesFirms, namingFirms } from './buyer-choice.ts';

/** Kind of consent text: the usual one, the ticket survey's, or one of the two for one-to-one consent. */
export type ConsentKind = 'general' | 'ticket' | 'buyers' | 'abbreviated';

/** A published consent text, with the company's name filled in. */
export type PublishedConsent = {
  readonly version: string;
  readonly kind: ConsentKind;
  /** A second kind that this text was shown as. */
  readonly alsoFor?: ConsentKind | undefined;
  readonly language: Language;
  readonly text: string;
  /** Day of publication, yyyy-MM-dd. */
  readonly published: string;
  /** Day on which the next text replaced it, yyyy-MM-dd; undefined while it is current. */
  readonly replaced?: string | undefined;
};

/** The consent text that the survey requires. */
type ShownConsent = {
  readonly kind: ConsentKind;
  /** The survey's language; undefined for an unknown survey. */
  readonly language: Language | undefined;
};

/** Why a consent is invalid. */
export type ConsentReason =
  | 'consent_unknown_version' // no text of that version was published
  | 'consent_other_text' // the text differs from that version's, or is of another kind than required
  | 'consent_other_language' // the text is not in the survey's language
  | 'consent_replaced_text' // given long after the text was replaced
  | 'consent_before_text' // shown or given before the text was published
  | 'consent_given_before_shown'
  | 'consent_in_future'; // shown or given in the future

/** Published texts by version, then by wording. */
export type ConsentIndex = ReadonlyMap<string, ReadonlyMap<string, PublishedConsent>>;

/** The consent as posted; missing values are empty. Times are text, by the browser's clock. */
export type GivenConsent = {
  readonly text: string;
  /** The law firms that the text names, as in `displayed_buyers`. */
  readonly firms?: string | undefined;
  readonly version: string;
  readonly shownAt: string;
  readonly givenAt: string;
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** Tolerates time zones ahead of UTC and wrong clocks. */
const GRACE_MS = DAY_MS;
/**
 * A page with the replaced text may stay open or be restored for days. The time of the button press
 * counts, so a post queued in an offline browser needs no longer period.
 */
const REPLACED_TEXT_MS = 7 * DAY_MS;
/** No post waits longer in a browser. For an older consent time the time of receipt counts. */
const OLDEST_GIVEN_MS = 30 * DAY_MS;
/** The browser's clock may be corrected between showing and giving. */
const CLOCK_STEP_MS = 5 * 60 * 1000;

/** Normalises a text for comparison: a page's line breaks and blanks do not matter. */
function fold(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Indexes the published texts for `judgeConsent`, both folded and as published. */
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

/** Returns the wording that, with the names of the law firms shown, is the given text. */
function namedWording(
  wordings: ReadonlyMap<string, PublishedConsent>,
  { text, firms }: GivenConsent,
): PublishedConsent | undefined {
  const folded = fold(text);
  return [...wordings.values()].find((each) => fold(namingFirms(each.text, firms)) === folded);
}

/**
 * Returns why a consent is invalid, or undefined if it is valid. Ignores a missing or unreadable time.
 * @param receivedAt when the server received the post
 */
export function judgeConsent(
  given: GivenConsent,
  { kind, language }: ShownConsent,
  index: ConsentIndex,
  receivedAt: Date,
): ConsentReason | undefined {
  const wordings = index.get(given.version);
  if (!wordings) return 'consent_unknown_version';
  // Nearly every posted text matches without folding.
  const plain = wordings.get(given.text) ?? wordings.get(fold(given.text));
  // A text without the firms' names is no consent to a firm.
  const text = plain && !namesFirms(plain.text) ? plain : namedWording(wordings, given);
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
