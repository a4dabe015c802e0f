import { DESCRIPTION_MIN_CHARACTERS, DESCRIPTION_MIN_WORDS } from './thresholds.ts';

/** Number of words, separated by white space of any kind (readings, "Answers and rules"). */
export function countWords(text: string): number {
  const trimmed = text.trim();
  return trimmed === '' ? 0 : trimmed.split(/\s+/).length;
}

/** Whether a case description has the four words it needs (document 1, section 5). */
export function hasEnoughWords(text: string): boolean {
  return countWords(text) >= DESCRIPTION_MIN_WORDS;
}

/** Whether a case description has the twenty characters it needs, after trimming. */
export function isLongEnough(text: string): boolean {
  return text.trim().length >= DESCRIPTION_MIN_CHARACTERS;
}
