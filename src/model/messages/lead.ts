import type { Language } from '../fields/language.ts';

/** Path to which the browser posts a lead (docs/specification.md#post-lead). */
export const postLeadPath = '/post-lead';

/**
 * The header with the lead's secret, 32 random hex digits. The secret proves that the browser owns the lead.
 * The server stores only its hash. A header, because the server stores bodies.
 */
export const leadSecretHeader = 'x-lead-secret';

/** The header with the lead id, for requests without a body. */
export const leadIdHeader = 'x-lead-id';

/** The largest body that `POST /post-lead` and `POST /api/save-data` accept, in bytes. */
export const maxBodyBytes = 64 * 1024;

/**
 * The body of `POST /post-lead`: one flat JSON object of strings. It has the fields below and the visitor's
 * own answers as lead fields. The server applies the rules.
 */
export type PostLeadBody = {
  /** UUIDv7 that the browser creates when the survey starts. The idempotency key of every call. */
  readonly lead_id: string;
  /** The survey's path, for example `/survey/v4nv`. */
  readonly survey: string;
  readonly language: Language;
  /** The consent text exactly as the visitor saw it. */
  readonly tcpa: string;
  /** The version of the consent text, which is the date of its file. */
  readonly consent_version: string;
  readonly consent_shown_at: string;
  /** Time of the press on the last button (ISO 8601, UTC, the browser's clock). */
  readonly submitted_at: string;
  /** The landing page's URL, without its query. */
  readonly landing_page: string;
  readonly page_referer: string;
} & Readonly<Record<string, string>>;

/** The answer of `POST /post-lead`, sent after the commit. A repeated body gets the same answer. */
export type PostLeadAnswer = {
  readonly lead_id: string;
  /** The lead's revision: 1 for the first post, one more for each later post with a different body. */
  readonly revision: number;
  readonly qualified: 'yes' | 'no';
  /** `field|value` of the first rule that rejects the lead, or empty. */
  readonly dq_reason: string;
};
