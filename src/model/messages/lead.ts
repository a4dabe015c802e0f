import type { Language } from '../fields/language.ts';

/** Path for posting a lead (docs/specification.md#post-lead). */
export const postLeadPath = '/post-lead';

/** Header with the lead secret, which proves that the browser created the lead. */
export const leadSecretHeader = 'x-lead-secret';

/** Header with the lead id, for requests without a body. */
export const leadIdHeader = 'x-lead-id';

/** Maximum size of a posted lead and of saved progress, in bytes. */
export const maxBodyBytes = 64 * 1024;

/** The body of a posted lead. The answers are further properties of the body. */
export type PostLeadBody = {
  /** The id of the lead, and the idempotency key of all requests about the lead. */
  readonly lead_id: string;
  readonly survey: string;
  readonly language: Language;
  /** The exact consent text that the visitor saw. */
  readonly tcpa: string;
  /** The date of the file with the consent text. */
  readonly consent_version: string;
  readonly consent_shown_at: string;
  /** The time of the press on the last button, by the browser's clock (ISO 8601). */
  readonly submitted_at: string;
  /** URL of the landing page, without query. */
  readonly landing_page: string;
  readonly page_referer: string;
} & Readonly<Record<string, string>>;

/** The server's answer to a posted lead. */
export type PostLeadAnswer = {
  readonly lead_id: string;
  /** The number of the lead's revision, from 1. */
  readonly revision: number;
  readonly qualified: 'yes' | 'no';
  /** The reason of a disqualification as `field|value`, or ''. */
  readonly dq_reason: string;
};
