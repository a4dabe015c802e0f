import type { Language } from '../fields/language.ts';

/** Path to which the browser posts a lead (docs/specification.md#post-lead). */
export const postLeadPath = '/post-lead';

/** Header with the lead secret, 32 hex digits, which proves that the browser owns the lead. */
export const leadSecretHeader = 'x-lead-secret';

/** Header with the lead id, for requests without a body. */
export const leadIdHeader = 'x-lead-id';

/** Maximum size of a posted lead and of saved progress, in bytes. */
export const maxBodyBytes = 64 * 1024;

/** The body of `POST /post-lead`: a flat object with these fields and the answers as strings. */
export type PostLeadBody = {
  /** A UUIDv7 that the browser creates. It is the idempotency key of every request. */
  readonly lead_id: string;
  readonly survey: string;
  readonly language: Language;
  /** The exact consent text that the visitor saw. */
  readonly tcpa: string;
  /** The consent text's version, which is the date of its file. */
  readonly consent_version: string;
  readonly consent_shown_at: string;
  /** Time of the press on the last button, by the browser's clock (ISO 8601, UTC). */
  readonly submitted_at: string;
  /** URL of the landing page, without query. */
  readonly landing_page: string;
  readonly page_referer: string;
} & Readonly<Record<string, string>>;

/** The answer to `POST /post-lead`, sent after the commit. The same body gets the same answer. */
export type PostLeadAnswer = {
  readonly lead_id: string;
  /** The lead's revision: 1 for the first post, and one more for each post with another body. */
  readonly revision: number;
  readonly qualified: 'yes' | 'no';
  /** The reason of a disqualification as `field|value`, else ''. */
  readonly dq_reason: string;
};
