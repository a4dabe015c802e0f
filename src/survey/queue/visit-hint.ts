/** Prefix of the storage key that marks a visit to resume, before the survey's path. */
export const visitHintKey = 'survey:';

/** Returns the hint that a survey has a visit to resume, if it is set. */
export function visitHint(survey: string): string | null | undefined {
  try {
    return localStorage.getItem(visitHintKey + survey);
  } catch {
    return undefined;
  }
}

/** Sets or removes the hint that a survey has a visit to resume. */
export function hintVisit(survey: string, isKept: boolean): void {
  try {
    const key = visitHintKey + survey;
    if (!isKept) localStorage.removeItem(key);
    // Does not repeat the write, because every write notifies other tabs.
    else if (!visitHint(survey)) localStorage.setItem(key, '1');
  } catch {
    // Without storage there is no visit to resume.
  }
}
