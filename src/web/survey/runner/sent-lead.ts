/**
 * The values that a survey stores in its tab for the thank-you page, and for a visitor who comes back from it
 * (docs/specification.md#browser-storage). These functions never throw. Without storage the thank-you page uses
 * general words and has no link to the partner.
 */

/** Storage key of the lead id and the partner's address, which the page links if the browser blocked the tab. */
export const sentKey = 'survey-sent';
export const firmsKey = 'survey-firms';
export const answersKey = 'survey-answers';

export function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // A browser without storage: the thank-you page then uses general words.
  }
}

export function stored(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores the id of the lead that is being sent. Replaces an earlier one. */
export function storeSentLead(leadId: string, partner = ''): void {
  store(sentKey, `${leadId} ${partner}`);
}

export function sentLeadId(): string | undefined {
  return stored(sentKey)?.split(' ')[0];
}

export type SentFirms = {
  readonly chosen: readonly string[];
  /** Data for a choice on the thank-you page. Absent if the visitor chose a law firm. */
  readonly open?: OpenChoice;
  /** The choice on the thank-you page did not reach the server in time. */
  readonly isLate?: true;
};

/** Data with which the visitor can still choose a law firm. */
export type OpenChoice = {
  readonly lead_id: string;
  readonly secret: string | undefined;
  readonly survey: string;
  readonly language: string;
  /** The consent text beside the last button. */
  readonly tcpa: string;
  readonly version: string;
  /** The law firms: name, and value of the checkbox. */
  readonly firms: readonly (readonly [name: string, value: string])[];
  /** ms since 1970 */
  readonly sentAt: number;
};

export type CopiedAnswer = readonly [question: string, answer: string];

export function handOver(key: string, value: unknown): void {
  store(key, JSON.stringify(value));
}

/** Returns the value under `firmsKey`. Never throws. */
export function sentFirms(): SentFirms {
  try {
    return JSON.parse(stored(firmsKey) ?? '') as SentFirms;
  } catch {
    return { chosen: [] };
  }
}

/** Returns the visitor's copy of the answers, and removes it from the storage. */
export function takeAnswers(): CopiedAnswer[] {
  const answers = stored(answersKey) || '[]';
  store(answersKey, '');
  return JSON.parse(answers) as CopiedAnswer[];
}
