/** Where a visit leaves the hint that it will be taken up again; the key ends with its path. */
export const visitHintKey = 'survey:';

/** Sets or removes the hint that a visit of a survey can be taken up again. */
export function hintVisit(survey: string, isKept: boolean): void {
  try {
    const key = visitHintKey + survey;
    if (!isKept) localStorage.removeItem(key);
    // With each step: what is there already is not written again, which other tabs would be told of.
    else if (!localStorage.getItem(key)) localStorage.setItem(key, '1');
  } catch {
    // Without storage nothing is taken up again, and no hint is needed.
  }
}
