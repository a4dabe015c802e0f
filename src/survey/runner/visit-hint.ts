/** Where a visit leaves the hint that it will be taken up again; the key ends with its path. */
export const visitHintKey = 'survey:';

/** Sets or removes the hint that a visit of a survey can be taken up again. */
export function hintVisit(survey: string, isKept: boolean): void {
  try {
    if (isKept) localStorage.setItem(visitHintKey + survey, '1');
    else localStorage.removeItem(visitHintKey + survey);
  } catch {
    // Without storage nothing is taken up again, and no hint is needed.
  }
}
