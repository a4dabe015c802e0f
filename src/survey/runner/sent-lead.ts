/**
 * What this tab remembers of the lead that it sent, for the thank-you page and for who comes back from
 * there: the lead's id, and the partner page's address in case the browser blocked its tab. Nothing
 * personal.
 */
export const sentKey = 'survey-sent';

/** Remembers a lead that is being sent, over an earlier one; never throws. */
export function keepSentLead(leadId: string, partner = ''): void {
  try {
    sessionStorage.setItem(sentKey, `${leadId} ${partner}`);
  } catch {
    // Without storage the partner's tab was the only way there.
  }
}

/** The id of the lead that was sent, or undefined; never throws. */
export function sentLeadId(): string | undefined {
  try {
    return sessionStorage.getItem(sentKey)?.split(' ')[0];
  } catch {
    return undefined;
  }
}

/** What a survey hands to its thank-you page, in this tab only (docs/specification.md#browser-storage). */
export const firmsKey = 'survey-firms';
export const answersKey = 'survey-answers';

/** The law firms of a lead that was sent. */
export type SentFirms = {
  /** The names of those that the visitor chose. */
  readonly chosen: readonly string[];
  /** Where none was chosen: what a choice on the thank-you page needs. */
  readonly open?: OpenChoice;
  /** A choice was made, but the server did not have it in time. */
  readonly isLate?: true;
};

/** A choice that may still be made, by the browser that sent the lead. */
export type OpenChoice = {
  readonly lead_id: string;
  readonly secret: string | undefined;
  readonly survey: string;
  readonly language: string;
  /** The consent text that stood beside the last button. */
  readonly tcpa: string;
  readonly version: string;
  /** Names, and the values of their boxes. */
  readonly firms: readonly (readonly [name: string, value: string])[];
  /** ms since 1970 */
  readonly sentAt: number;
};

/** One question with its answer, in the visitor's words. */
export type CopiedAnswer = readonly [question: string, answer: string];

/** Keeps a value for the thank-you page; never throws. */
export function handOver(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the thank-you page says it in general words.
  }
}

/** What was handed over under `firmsKey`; never throws. */
export function sentFirms(): SentFirms {
  try {
    return JSON.parse(sessionStorage.getItem(firmsKey) ?? '') as SentFirms;
  } catch {
    return { chosen: [] };
  }
}
