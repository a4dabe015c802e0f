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

type Body = Readonly<Record<string, unknown>>;

/** The flows with a consent text of their own. */
export const flowTexts = ['ticket', 'contact'] as const;

/** The kind of a consent text. */
export type ConsentKind = 'general' | (typeof flowTexts)[number] | 'buyers' | 'abbreviated';

export type PublishedConsent = {
  readonly version: string;
  readonly kind: ConsentKind;
  /** Other kinds of pages that displayed this text. */
  readonly alsoFor?: readonly ConsentKind[] | undefined;
  readonly language: Language;
  readonly text: string;
  /** Day of publication (yyyy-MM-dd). */
  readonly published: string;
  /** Day on which a newer version replaced the text (yyyy-MM-dd). */
  readonly replaced?: string | undefined;
};

export type ConsentReason =
  | 'consent_unknown_version' // we published no text of that version
  | 'consent_other_text' // the text differs from the published one, or is of another kind
  | 'consent_other_language' // the text is not in the survey's language
  | 'consent_replaced_text' // given more than a week after a new text replaced it
  | 'consent_before_text' // shown or given before the publication
  | 'consent_given_before_shown'
  | 'consent_in_future'; // shown or given in the future

type ConsentIndex = ReadonlyMap<string, ReadonlyMap<string, PublishedConsent>>;

/** A consent as the browser posts it, with '' for missing values. */
export type GivenConsent = {
  readonly text: string;
  readonly firms?: string | undefined;
  readonly version: string;
  readonly shownAt: string;
  readonly givenAt: string;
};

/** The record of a consent (docs/specification.md#consent-record, 47 CFR 64.1200(f)(9)). */
export type ConsentRecord = {
  readonly text: string;
  readonly textSha256: string;
  readonly isPublished: boolean;
  readonly version: string;
  readonly language: string;
  readonly page: string;
  readonly shownAt: string | null;
  readonly givenAt: string | null;
  /** The IP address from which the browser posted the consent. */
  readonly ip: string;
  readonly userAgent: string;
  /** The TrustedForm certificate or Jornaya token of the consent. */
  readonly certificate: string | null;
  /** The statement that buyers receive instead of the text. Null: buyers receive the text. */
  readonly sentText: string | null;
  readonly buyers: readonly (Buyer & { readonly chosen: boolean })[];
};

export type ConsentRules = {
  /** Returns the statement that buyers of a one-to-one lead receive instead of the consent text. */
  readonly oneToOneStatement: (shown: 'buyers' | 'abbreviated', language: Language) => string;
  readonly consents: ConsentIndex;
};

export type ConsentParts = {
  /** The consent text in this post. */
  readonly text: string | undefined;
  readonly body: Body;
  readonly latest: Body;
  readonly buyerList: BuyerList | undefined;
  readonly flow?: string | undefined;
  readonly selectedBuyers: string | undefined;
  readonly language: Language | undefined;
  readonly seenLanguage: string;
  /** The URL of the page, without query. */
  readonly page: string;
  readonly visitor: { readonly address: string; readonly userAgent: string };
  readonly now: Date;
  /** The time of an earlier post with the consent text. */
  readonly receivedAt?: Date | undefined;
};

type ReadConsent = {
  /** The value of the outgoing field `tcpa`. */
  readonly sent: string;
  /** Null for a post without a consent text. */
  readonly record: ConsentRecord | null;
  /** The reason for holding the lead, if the consent is invalid. */
  readonly hold: ConsentReason | undefined;
};

/** Reads the consent of a post. */
export function readConsent(
  parts: ConsentParts,
  { consents, oneToOneStatement }: ConsentRules,
): ReadConsent {
  const { body, buyerList } = parts;
  const text = hasWords(parts.text) ? parts.text : undefined;
  const oneToOne = buyerList && (buyerList.consent === 'yes' ? 'buyers' : 'abbreviated');
  const ofFlow = flowTexts.find((flow) => flow === parts.flow);
  const kind: ConsentKind = oneToOne ?? ofFlow ?? 'general';
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
const GRACE_MS = DAY_MS;
/** Visitors may leave a page open for days, so a replaced text stays valid for this long. */
const REPLACED_TEXT_MS = 7 * DAY_MS;
/** If the browser's consent time is older than this, the server's time of receipt counts. */
const OLDEST_GIVEN_MS = 30 * DAY_MS;
/** The browser's clock may be set back by this much between display and consent. */
const CLOCK_STEP_MS = 5 * 60 * 1000;

/** Normalises the white space of a text. */
export function fold(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** Returns an index of the published texts. */
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

function namedWording(
  wordings: ReadonlyMap<string, PublishedConsent>,
  { text, firms }: GivenConsent,
): PublishedConsent | undefined {
  const folded = fold(text);
  return [...wordings.values()].find((each) => fold(namingFirms(each.text, firms)) === folded);
}

/** Returns whether pages of a kind displayed the text. */
export function isShownBy({ kind, alsoFor = [] }: PublishedConsent, page: ConsentKind): boolean {
  return kind === page || alsoFor.includes(page);
}

/** Returns the reason why a consent is invalid, or undefined. */
export function judgeConsent(
  given: GivenConsent,
  required: { readonly kind: ConsentKind; readonly language: Language | undefined },
  index: ConsentIndex,
  receivedAt: Date,
): ConsentReason | undefined {
  const { kind, language } = required;
  const wordings = index.get(given.version);
  if (!wordings) return 'consent_unknown_version';
  // Compares the exact text first, because normalising a text is slow.
  const plain = wordings.get(given.text) ?? wordings.get(fold(given.text));
  const text = plain && !namesFirms(plain.text) ? plain : namedWording(wordings, given);
  if (!text || !isShownBy(text, kind)) return 'consent_other_text';
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

/** Returns 16 characters that identify a consent text. */
export function consentDigest({ version, text }: Pick<ConsentText, 'version' | 'text'>): string {
  return hash('sha256', `${version}\n${text}`, 'base64url').slice(0, 16);
}
