import type { Language } from '../fields/language.ts';

/** Where the browser posts a lead (docs/specification.md#post-lead). */
export const postLeadPath = '/post-lead';

/**
 * The header with the lead's secret, which proves that the browser owns the lead. The browser mints 32
 * random hex digits with the lead id and sends them with every post, save, mapping and buyers call.
 * The server stores only a hash. The secret is not part of the body, so it is never stored with one.
 */
export const leadSecretHeader = 'x-lead-secret';

/** The header with the lead id, for requests without a body. */
export const leadIdHeader = 'x-lead-id';

/** The largest body that `POST /post-lead` and `POST /api/save-data` accept, in bytes. */
export const maxBodyBytes = 64 * 1024;

/**
 * The body of `POST /post-lead`: one flat JSON object of strings. Besides the fields below it holds the
 * lead fields of the specification with the visitor's own answers; the server applies the rules.
 */
export type PostLeadBody = {
  /** UUIDv7, minted by the browser when the survey starts; the idempotency key of every call. */
  readonly lead_id: string;
  /** The survey's path, for example `/survey/v4nv`. */
  readonly survey: string;
  readonly language: Language;
  /** The consent text exactly as the visitor saw it. */
  readonly tcpa: string;
  /** The version of that text (its file's date), and when it was shown (ISO 8601, UTC). */
  readonly consent_version: string;
  readonly consent_shown_at: string;
  /** When the last button was pressed (ISO 8601, UTC, the browser's clock). */
  readonly submitted_at: string;
  /** The landing page's address without its query, and its referrer. */
  readonly landing_page: string;
  readonly page_referer: string;
} & Readonly<Record<string, string>>;

/** The answer of `POST /post-lead`, sent after the commit; a repeated body gets the same answer. */
export type PostLeadAnswer = {
  readonly lead_id: string;
  /** Starts at 1; each later post with a different body adds one. */
  readonly revision: number;
  readonly qualified: 'yes' | 'no';
  /** `field|value` of the first rule that rejects, or empty. */
  readonly dq_reason: string;
};
