import { hash } from 'node:crypto';
import type { Language } from '../fields/language.ts';
import { parseLeadFields } from '../fields/parse-lead-fields.ts';
import type { ConsentText } from '../messages/site-settings.ts';
import {
  type Buyer,
  buyersAsAnswers,
  buyerValue,
  isChosen,
  namesFirms,
  namingFirms,
} from '../rules/buyer-choice.ts';
import type { BuyerList } from '../rules/buyers.ts';
import { beginning } from './body.ts';

/**
 * Records a post's consent as the visitor saw it (docs/specification.md#consent-record), and checks that we
 * published this text for that page. 47 CFR 64.1200(f)(9) and 16 CFR 310.5 require proof of the shown text.
 * So nobody may call a lead with another text.
 */

type Body = Readonly<Record<string, unknown>>;

/** Kind of consent text. One-to-one surveys have `buyers` and `abbreviated`; only `buyers` names law firms. */
export type ConsentKind = 'general' | 'ticket' | 'buyers' | 'abbreviated';

/** A published consent text with the company's name. */
export type PublishedConsent = {
  readonly version: string;
  readonly kind: ConsentKind;
  /** A second kind for which pages showed this text. */
  readonly alsoFor?: ConsentKind | undefined;
  readonly language: Language;
  readonly text: string;
  /** Day of publication, yyyy-MM-dd. */
  readonly published: string;
  /** Day of the next version, yyyy-MM-dd. Undefined for the current text. */
  readonly replaced?: string | undefined;
};

/** Why a consent is invalid. */
export type ConsentReason =
  | 'consent_unknown_version' // we published no text of that version
  | 'consent_other_text' // the text differs from the published one, or is of another kind
  | 'consent_other_language' // the text is not in the survey's language
  | 'consent_replaced_text' // given more than a week after a new text replaced it
  | 'consent_before_text' // shown or given before the publication
  | 'consent_given_before_shown'
  | 'consent_in_future'; // shown or given in the future

/** Published texts by version and wording. */
export type ConsentIndex = ReadonlyMap<string, ReadonlyMap<string, PublishedConsent>>;

/** The consent as posted. Missing values are empty. Times are text from the browser's clock. */
export type GivenConsent = {
  readonly text: string;
  /** Names of the displayed law firms, as in `displayed_buyers`. */
  readonly firms?: string | undefined;
  readonly version: string;
  readonly shownAt: string;
  readonly givenAt: string;
};

/** The consent as the visitor saw it. Times are ISO 8601. */
export type ConsentRecord = {
  readonly text: string;
  /** SHA-256 of the text in UTF-8, hexadecimal. */
  readonly textSha256: string;
  /** The text equals a published one word for word. */
  readonly isPublished: boolean;
  /** Version of the text, which is the date of its file. Empty if the page sent none. */
  readonly version: string;
  readonly language: string;
  readonly page: string;
  readonly shownAt: string | null;
  readonly givenAt: string | null;
  /** `ip` and `userAgent` of the request with the consent. */
  readonly ip: string;
  readonly userAgent: string;
  /** TrustedForm or Jornaya certificate of the consent, if the page received one. */
  readonly certificate: string | null;
  /** The statement that buyers receive instead of `text` (one-to-one consent). Null: they receive `text`. */
  readonly sentText: string | null;
  /** The buyers shown with the text, and the visitor's choice (one-to-one consent). */
  readonly buyers: readonly (Buyer & { readonly chosen: boolean })[];
};

/** The settings that the check of a consent depends on. */
export type ConsentRules = {
  /** Returns the statement that buyers receive instead of the consent text of a one-to-one lead. */
  readonly oneToOneStatement: (shown: 'buyers' | 'abbreviated', language: Language) => string;
  /** Every consent text that we ever published. */
  readonly consents: ConsentIndex;
};

export type ConsentParts = {
  /** The consent text of the merged body. Undefined if no post had one. */
  readonly text: string | undefined;
  /** The merged body. */
  readonly body: Body;
  /** The body of this post alone. */
  readonly latest: Body;
  readonly buyerList: BuyerList | undefined;
  readonly flow?: string | undefined;
  readonly selectedBuyers: string | undefined;
  /** The survey's language. Undefined for an unknown survey. */
  readonly language: Language | undefined;
  /** The language of the page that the visitor saw. */
  readonly seenLanguage: string;
  /** The URL of that page, without its query. */
  readonly page: string;
  readonly visitor: { readonly address: string; readonly userAgent: string };
  readonly now: Date;
  /** Time of the earlier post that had the text. Ignored if this post has a text. */
  readonly receivedAt?: Date | undefined;
};

type ReadConsent = {
  /** The outgoing `tcpa`. */
  readonly sent: string;
  /** Null if the body of this post has no text. */
  readonly record: ConsentRecord | null;
  /** Why the lead must be held. Undefined if the consent is valid or missing. */
  readonly hold: ConsentReason | undefined;
};

/** Returns the record of a post's consent, the text to send, and the reason to hold the lead, if any. */
export function readConsent(
  parts: ConsentParts,
  { consents, oneToOneStatement }: ConsentRules,
): ReadConsent {
  const { body, buyerList } = parts;
  const text = hasWords(parts.text) ? parts.text : undefined;
  const oneToOne = buyerList && (buyerList.consent === 'yes' ? 'buyers' : 'abbreviated');
  const kind: ConsentKind = oneToOne ?? (parts.flow === 'ticket' ? 'ticket' : 'general');
  const statement =
    !oneToOne || text === undefined ? null : oneToOneStatement(oneToOne, parts.language ?? 'en');
  const given = {
    text: text ?? '',
    firms: buyerList && buyersAsAnswers(buyerList.displayed).displayed_buyers,
    version: textOf(body.consent_version),
    shownAt: textOf(body.consent_shown_at),
    givenAt: textOf(body.submitted_at),
  };
  const record = consentRecord(parts, statement, consents);
  const receivedAt = record ? parts.now : (parts.receivedAt ?? parts.now);
  const required = { kind, language: parts.language };
  return {
    sent: statement ?? text ?? '',
    record,
    hold: text === undefined ? undefined : judgeConsent(given, required, consents, receivedAt),
  };
}

/** Returns whether a posted text has a letter. Blanks, invisible characters and signs are no consent. */
function hasWords(text: unknown): text is string {
  return typeof text === 'string' && /[a-z]/i.test(text);
}

function consentRecord(
  { latest, buyerList, selectedBuyers, seenLanguage, page, visitor }: ConsentParts,
  sentText: string | null,
  published: ConsentIndex,
): ConsentRecord | null {
  const { tcpa } = latest;
  if (!hasWords(tcpa)) return null;
  const version = textOf(latest.consent_version);
  return {
    text: tcpa,
    textSha256: hash('sha256', tcpa, 'hex'),
    isPublished: published.get(version)?.has(tcpa) ?? false,
    version: beginning(version, 100),
    language: seenLanguage,
    page,
    shownAt: time(latest.consent_shown_at),
    givenAt: time(latest.submitted_at),
    ip: visitor.address,
    userAgent: visitor.userAgent,
    certificate: certificateOf(latest),
    sentText,
    buyers:
      buyerList?.displayed.map((buyer) => ({
        ...buyer,
        chosen: isChosen(buyerValue(buyer), selectedBuyers),
      })) ?? [],
  };
}

const certificateNames = ['trusted_form_cert_id', 'trustedform_cert_url', 'leadid_token'] as const;

/** Returns the first well-formed TrustedForm or Jornaya certificate of a post. */
function certificateOf(body: Body): string | null {
  const given = Object.fromEntries(certificateNames.map((name) => [name, body[name]]));
  const { fields } = parseLeadFields(given);
  return certificateNames.map((name) => fields[name]).find((each) => each) ?? null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function time(value: unknown): string | null {
  const date = new Date(textOf(value));
  const year = date.getUTCFullYear();
  return Number.isNaN(date.getTime()) || year < 2000 || year > 2200 ? null : date.toISOString();
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Tolerates time zones ahead of UTC and wrong clocks. */
const GRACE_MS = DAY_MS;
/** A visitor may consent to a replaced text for this long, since a page may stay open for days. */
const REPLACED_TEXT_MS = 7 * DAY_MS;
/** The time of receipt replaces an older consent time, because no post waits longer in a browser. */
const OLDEST_GIVEN_MS = 30 * DAY_MS;
/** Tolerates a correction of the browser's clock between display and consent. */
const CLOCK_STEP_MS = 5 * 60 * 1000;

/** Normalises a text for comparison. The page's line breaks and blanks make no difference. */
function fold(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Indexes the published texts for `judgeConsent`, as published and folded. */
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

/** Returns the wording that equals the given text once it contains the displayed law firms' names. */
function namedWording(
  wordings: ReadonlyMap<string, PublishedConsent>,
  { text, firms }: GivenConsent,
): PublishedConsent | undefined {
  const folded = fold(text);
  return [...wordings.values()].find((each) => fold(namingFirms(each.text, firms)) === folded);
}

/**
 * Returns why a consent is invalid, or undefined if it is valid. Ignores a missing or invalid time.
 * @param required the kind and language of the text that the survey requires
 * @param receivedAt the time at which the server received the post
 */
export function judgeConsent(
  given: GivenConsent,
  required: { readonly kind: ConsentKind; readonly language: Language | undefined },
  index: ConsentIndex,
  receivedAt: Date,
): ConsentReason | undefined {
  const { kind, language } = required;
  const wordings = index.get(given.version);
  if (!wordings) return 'consent_unknown_version';
  // The text as posted comes first: folding is slow and rarely necessary.
  const plain = wordings.get(given.text) ?? wordings.get(fold(given.text));
  // A text with the placeholder must be compared with the law firms' names in it.
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

/** Returns 16 characters that identify a consent text's version and wording. Needs Node. */
export function consentDigest({ version, text }: Pick<ConsentText, 'version' | 'text'>): string {
  return hash('sha256', `${version}\n${text}`, 'base64url').slice(0, 16);
}
