/** The consent of a post, kept as the visitor saw it (readings, "Sending"). */
import { createHash } from 'node:crypto';
import type { ConsentRecord } from './lead-record.ts';
import type { Visitor } from './visitor.ts';

/** The few texts that are shown at a time are hashed once. */
const hashes = new Map<string, string>();

function sha256(text: string): string {
  let hash = hashes.get(text);
  if (hash === undefined) {
    hash = createHash('sha256').update(text).digest('hex');
    if (hashes.size > 200) hashes.clear();
    hashes.set(text, hash);
  }
  return hash;
}

function time(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const date = new Date(value);
  const year = date.getUTCFullYear();
  return Number.isNaN(date.getTime()) || year < 2000 || year > 2200 ? null : date.toISOString();
}

/**
 * The record of a body's consent text, or null when it has none. Times are the browser's clock.
 * @param page address of the page that showed it, without its query
 */
export function consentRecord(
  body: Readonly<Record<string, unknown>>,
  page: string,
  language: string,
  visitor: Pick<Visitor, 'address' | 'userAgent'>,
  oneToOne?: Pick<ConsentRecord, 'sentText' | 'buyers'>,
): ConsentRecord | null {
  const { tcpa, consent_version, consent_shown_at, submitted_at } = body;
  if (typeof tcpa !== 'string' || tcpa.trim() === '') return null;
  const certificate = body.trusted_form_cert_id || body.trustedform_cert_url || body.leadid_token;
  return {
    text: tcpa,
    textSha256: sha256(tcpa),
    version: typeof consent_version === 'string' ? consent_version.slice(0, 100) : '',
    language,
    page,
    shownAt: time(consent_shown_at),
    givenAt: time(submitted_at),
    ip: visitor.address,
    userAgent: visitor.userAgent,
    certificate: typeof certificate === 'string' && certificate !== '' ? certificate : null,
    sentText: oneToOne?.sentText ?? null,
    buyers: oneToOne?.buyers ?? [],
  };
}
