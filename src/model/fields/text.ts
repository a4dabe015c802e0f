import { DESCRIPTION_MIN_CHARACTERS, DESCRIPTION_MIN_WORDS } from './thresholds.ts';

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Lower-cases a text and removes accents. */
export function withoutAccents(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC');
}

/** Removes blanks and punctuation from the end of an e-mail address. */
export function withoutStop(text: string): string {
  let end = text.length;
  while (/[.,; ]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** Counts words as docs/specification.md#case-description requires. */
export function countWords(text: string): number {
  const trimmed = text.trim();
  return trimmed === '' ? 0 : trimmed.split(/\s+/).length;
}

const enoughWords = new RegExp(`^\\s*\\S+(?:\\s+\\S+){${DESCRIPTION_MIN_WORDS - 1}}`);

export function hasEnoughWords(text: string): boolean {
  return enoughWords.test(text);
}

export function isLongEnough(text: string): boolean {
  return text.trim().length >= DESCRIPTION_MIN_CHARACTERS;
}
