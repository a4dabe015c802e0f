import type { Language } from '../domain/language.ts';

/** Where the browser posts a lead (docs/specification.md#post-lead). */
export const postLeadPath = '/post-lead';

/**
 * The header that shows whose lead it is: 32 hex digits, made at random with the lead id and sent with
 * every post, save, mapping and buyers call of that lead. The server keeps only their hash, and asks
 * for them from then on. Never part of a body, so that they are never stored with one.
 */
export const leadSecretHeader = 'x-lead-secret';

/** The lead that a request without a body is about. */
export const leadIdHeader = 'x-lead-id';

/** The largest body that `POST /post-lead` and `POST /api/save-data` take, in bytes. */
export const maxBodyBytes = 64 * 1024;

/**
 * The body of `POST /post-lead`: one flat JSON object, all values strings. The lead fields of the
 * specification by their names (the visitor's own answers; the server applies the rules), and:
 */
export type PostLeadBody = {
  /** UUIDv7, minted by the browser when the survey starts; everything is idempotent on it. */
  readonly lead_id: string;
  /** The survey's path, for example `/survey/v4nv`. */
  readonly survey: string;
  readonly language: Language;
  /** The consent text exactly as the visitor saw it. */
  readonly tcpa: string;
  /** The version of that text (its file's date), and when it came on screen (ISO 8601, UTC). */
  readonly consent_version: string;
  readonly consent_shown_at: string;
  /** When the last button was pressed (ISO 8601, UTC, the browser's clock). */
  readonly submitted_at: string;
  /** Address of the landing page without its query, and the page that led there. */
  readonly landing_page: string;
  readonly page_referer: string;
} & Readonly<Record<string, string>>;

/** The answer of `POST /post-lead`, after the commit; the same id again gets the same answer. */
export type PostLeadAnswer = {
  readonly lead_id: string;
  /** 1, and one more for every merge of later, different content. */
  readonly revision: number;
  readonly qualified: 'yes' | 'no';
  /** `field|value` of the first rule that rejects, or empty. */
  readonly dq_reason: string;
};
