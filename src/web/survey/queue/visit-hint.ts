/** Prefix of the storage key that marks a visit to resume, before the survey's path. */
export const visitHintKey = 'survey:';

/** Returns whether a survey has a visit to resume, as far as the hint tells. */
export function isVisitHinted(survey: string): boolean {
  try {
    return visitHintKey + survey in localStorage;
  } catch {
    return false;
  }
}

/** Sets or removes the hint that a survey has a visit to resume. */
export function hintVisit(survey: string, isKept: boolean): void {
  try {
    const key = visitHintKey + survey;
    if (!isKept) localStorage.removeItem(key);
    // Does not repeat the write, because every write notifies other tabs.
    else if (!localStorage.getItem(key)) localStorage.setItem(key, '1');
  } catch {
    // Without storage there is no visit to resume.
  }
}
