/**
 * The values that a survey stores in its tab for the thank-you page and for visitors who come back
 * from it (docs/specification.md#browser-storage). These functions never throw. Without storage,
 * the thank-you page uses general words and does not link to the partner.
 */

/** Storage key of the lead id and the URL of the partner's page. The thank-you page links to this URL. */
export const sentKey = 'survey-sent';
export const firmsKey = 'survey-firms';
export const answersKey = 'survey-answers';

export function store(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Without storage, the thank-you page shows general texts.
  }
}

export function stored(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores the id of the lead that is being sent, and replaces the id of an earlier lead. */
export function storeSentLead(leadId: string, partner = ''): void {
  store(sentKey, `${leadId} ${partner}`);
}

export function sentLeadId(): string | undefined {
  return stored(sentKey)?.split(' ')[0];
}

export type SentFirms = {
  readonly chosen: readonly string[];
  /** The data with which the visitor can choose a law firm later. Absent if the visitor has already chosen one. */
  readonly open?: OpenChoice;
  /** True if the server got the visitor's choice on the thank-you page too late. */
  readonly isLate?: true;
};

/** The data with which a visitor can choose a law firm on the thank-you page. */
export type OpenChoice = {
  readonly lead_id: string;
  readonly secret: string | undefined;
  readonly survey: string;
  readonly language: string;
  /** The consent text beside the last button. */
  readonly tcpa: string;
  readonly version: string;
  /** The law firms on offer, each with the value of its checkbox. */
  readonly firms: readonly (readonly [name: string, value: string])[];
  /** Time when the lead was posted, in ms since 1970. */
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

/** Returns the visitor's copy of the answers, and removes it from storage. */
export function takeAnswers(): CopiedAnswer[] {
  const answers = stored(answersKey) || '[]';
  store(answersKey, '');
  return JSON.parse(answers) as CopiedAnswer[];
}
