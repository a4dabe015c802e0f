/**
 * Reads a post's consent: records it as seen (docs/specification.md#consent-record), and judges whether it is
 * a text that we published for that page.
 */
import { hash } from 'node:crypto';
import type { Language } from '../fields/language.ts';
import { parseLeadFields } from '../fields/parse-lead-fields.ts';
import { buyersAsAnswers, buyerValue, isChosen } from '../rules/buyer-choice.ts';
import type { BuyerList } from '../rules/buyers.ts';
import {
  type ConsentIndex,
  type ConsentKind,
  type ConsentReason,
  judgeConsent,
} from '../rules/consent.ts';
import type { LeadRules } from './context.ts';
import type { ConsentRecord } from './lead-record.ts';
import { beginning } from './storable.ts';
import type { Visitor } from './visitor.ts';

type Body = Readonly<Record<string, unknown>>;

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
  readonly visitor: Pick<Visitor, 'address' | 'userAgent'>;
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
  { consents, oneToOneStatement }: Pick<LeadRules, 'consents' | 'oneToOneStatement'>,
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
  const shown = { kind, language: parts.language };
  return {
    sent: statement ?? text ?? '',
    record,
    hold: text === undefined ? undefined : judgeConsent(given, shown, consents, receivedAt),
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
