import { DESCRIPTION_MIN_CHARACTERS, DESCRIPTION_MIN_WORDS } from './thresholds.ts';

/** Returns whether a text is ASCII and so has no accents to remove. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Removes the final dots, commas, semicolons and blanks that do not belong to an e-mail address. */
export function withoutStop(text: string): string {
  let end = text.length;
  while (/[.,; ]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** Counts words separated by white space (docs/specification.md#case-description). */
export function countWords(text: string): number {
  const trimmed = text.trim();
  return trimmed === '' ? 0 : trimmed.split(/\s+/).length;
}

const enoughWords = new RegExp(`^\\s*\\S+(?:\\s+\\S+){${DESCRIPTION_MIN_WORDS - 1}}`);

/** Returns whether a case description has at least `DESCRIPTION_MIN_WORDS` words. */
export function hasEnoughWords(text: string): boolean {
  return enoughWords.test(text);
}

/** Returns whether a trimmed case description has at least `DESCRIPTION_MIN_CHARACTERS`. */
export function isLongEnough(text: string): boolean {
  return text.trim().length >= DESCRIPTION_MIN_CHARACTERS;
}
