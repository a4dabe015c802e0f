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
 * Reads a post's consent: records it as seen (docs/specification.md#consent-record), and judges whether it is a text
 * that we published for that page. 47 CFR 64.1200(f)(9) and 16 CFR 310.5 require proof of the text that was shown. So
 * a lead with another text, or with a text not yet published, must not be called.
 */

type Body = Readonly<Record<string, unknown>>;

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

/** The consent as the visitor saw it. Times are ISO 8601. */
export type ConsentRecord = {
  readonly text: string;
  /** SHA-256 of the text in UTF-8, hexadecimal. */
  readonly textSha256: string;
  /** Whether the text is one that we published, word for word. */
  readonly isPublished: boolean;
  /** The date of the text's file; empty if the page sent none. */
  readonly version: string;
  readonly language: string;
  readonly page: string;
  readonly shownAt: string | null;
  readonly givenAt: string | null;
  /** `ip` and `userAgent` are those of the request with the consent. */
  readonly ip: string;
  readonly userAgent: string;
  /** The consent certificate, if a service issued one. */
  readonly certificate: string | null;
  /** The statement sent instead of `text` (one-to-one consent); null: `text` itself is sent. */
  readonly sentText: string | null;
  /** The buyers shown with the text (one-to-one consent), and which were chosen. */
  readonly buyers: readonly (Buyer & { readonly chosen: boolean })[];
};

/** The settings that consents depend on. */
export type ConsentRules = {
  /** Returns the statement that replaces the seen consent text of a one-to-one lead. */
  readonly oneToOneStatement: (shown: 'buyers' | 'abbreviated', language: Language) => string;
  /** Every consent text that was ever published. */
  readonly consents: ConsentIndex;
};

export type ConsentParts = {
  /** The consent text of the merged body; undefined: none was posted. */
  readonly text: string | undefined;
  /** The merged body, and the body of this post alone. */
  readonly body: Body;
  readonly latest: Body;
  readonly buyerList: BuyerList | undefined;
  readonly flow?: string | undefined;
  readonly selectedBuyers: string | undefined;
  /** The survey's language; undefined: unknown survey. */
  readonly language: Language | undefined;
  /** The language of the page that the visitor saw. */
  readonly seenLanguage: string;
  /** The address of that page, without its query. */
  readonly page: string;
  readonly visitor: { readonly address: string; readonly userAgent: string };
  readonly now: Date;
  /** When an earlier post brought the text; ignored if this post brings one. */
  readonly receivedAt?: Date | undefined;
};

type ReadConsent = {
  /** The outgoing `tcpa`. */
  readonly sent: string;
  /** Null: this post's own body has no text. */
  readonly record: ConsentRecord | null;
  /** Why the lead must be held; undefined also if no text was posted. */
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

/** Returns whether a posted text says anything: blanks, invisible characters and signs are no consent. */
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

/** Returns the first well-formed certificate of a post. */
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
/** A page with the replaced text may stay open for days. The time of the button press counts. */
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
 * @param required the kind of text that the survey requires, and its language; undefined: unknown survey
 * @param receivedAt when the server received the post
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

/** Returns 16 characters that identify a consent text's version and wording. Not for the browser. */
export function consentDigest({ version, text }: Pick<ConsentText, 'version' | 'text'>): string {
  return hash('sha256', `${version}\n${text}`, 'base64url').slice(0, 16);
}
