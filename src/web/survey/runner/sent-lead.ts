/** Storage key of the lead id, the partner's URL and the wishes about the call (docs/specification.md#browser-storage). */
export const sentKey = 'survey-sent';
/** Follows the wishes under `sentKey` if the other driver left and is not found. */
export const ranNote = 'ran';
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

/** Stores the id of the lead that is being sent. `wishes` are values without blanks. */
export function storeSentLead(leadId: string, partner = '', ...wishes: string[]): void {
  store(sentKey, [leadId, partner, ...wishes].join(' '));
}

/** Returns the wishes about the call of the lead that was sent last. */
export function sentWishes(): string[] {
  return stored(sentKey)?.split(' ').slice(2) ?? [];
}

export function sentLeadId(): string | undefined {
  return stored(sentKey)?.split(' ')[0];
}

export type SentFirms = {
  readonly chosen: readonly string[];
  /** The data with which a visitor can still choose a law firm on the thank-you page. */
  readonly open?: {
    readonly lead_id: string;
    readonly secret: string | undefined;
    readonly survey: string;
    readonly language: string;
    readonly tcpa: string;
    readonly version: string;
    /** The offered law firms, each with the value of its checkbox. */
    readonly firms: readonly (readonly [name: string, value: string])[];
    readonly sentAt: number;
  };
  /** True if the server got the visitor's choice on the thank-you page too late. */
  readonly isLate?: true;
};

export type CopiedAnswer = readonly [question: string, answer: string];

export function handOver(key: string, value: unknown): void {
  store(key, JSON.stringify(value));
}

/** Returns the law firms stored under `firmsKey`. Never throws. */
export function sentFirms(): SentFirms {
  try {
    return JSON.parse(stored(firmsKey) ?? '') as SentFirms;
  } catch {
    return { chosen: [] };
  }
}

/** Returns the visitor's copy of the answers, and removes the copy from storage. */
export function takeAnswers(): CopiedAnswer[] {
  const answers = stored(answersKey) || '[]';
  store(answersKey, '');
  return JSON.parse(answers) as CopiedAnswer[];
}
