import { DESCRIPTION_MIN_CHARACTERS, DESCRIPTION_MIN_WORDS } from './thresholds.ts';

/** Whether a text has nothing to fold but its capitals. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Drops what ends a sentence, not an e-mail address: dots, commas, semicolons and blanks. */
export function withoutStop(text: string): string {
  let end = text.length;
  while (/[.,; ]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** Number of words, separated by white space of any kind (docs/specification.md#case-description). */
export function countWords(text: string): number {
  const trimmed = text.trim();
  return trimmed === '' ? 0 : trimmed.split(/\s+/).length;
}

const enoughWords = new RegExp(`^\\s*\\S+(?:\\s+\\S+){${DESCRIPTION_MIN_WORDS - 1}}`);

/** Whether a case description has the four words it needs (docs/specification.md#case-description). */
export function hasEnoughWords(text: string): boolean {
  return enoughWords.test(text);
}

/** Whether a case description has the twenty characters it needs, after trimming. */
export function isLongEnough(text: string): boolean {
  return text.trim().length >= DESCRIPTION_MIN_CHARACTERS;
}
