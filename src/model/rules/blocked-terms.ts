import { isAscii } from '../fields/text.ts';

/** The blocked terms of a language, by category. */
export type BlockedTerms = Readonly<Record<string, readonly string[]>>;

type BlockedTermMatch = { readonly term: string; readonly category: string };

/** Returns the blocked terms in a text. */
export type BlockedTermMatcher = (text: string) => readonly BlockedTermMatch[];

/** `isJoined` is true if the word may continue the phrase of the word before. */
type Word = { readonly text: string; readonly isJoined: boolean };

/** Lower-cases a text, and removes all accents except the tilde of ñ. */
function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(?<!n)\u0303|[\u0300-\u0302\u0304-\u036f]/g, '')
    .normalize('NFC');
}

/** Matches the characters that may separate the words of a phrase. */
const gap = /^[\s\-‐‑–—/%]*$/u;

function words(folded: string): Word[] {
  const found: Word[] = [];
  let end = 0;
  for (const { 0: word, index } of folded.matchAll(
    /[\p{L}\p{N}_]+(?:['’‘`´][\p{L}\p{N}_]+)*|&/gu,
  )) {
    const text = word === '&' ? 'and' : word.replace(/['’‘`´]/g, '');
    found.push({ text, isJoined: gap.test(folded.slice(end, index)) });
    end = index + word.length;
  }
  return found;
}

/** Creates a matcher for blocked terms. */
export function createBlockedTermMatcher(...lists: readonly BlockedTerms[]): BlockedTermMatcher {
  const known = new Map<string, BlockedTermMatch[]>();
  let longest = 0;
  for (const [category, terms] of lists.flatMap((list) => Object.entries(list))) {
    for (const term of terms) {
      const parts = words(fold(term));
      const phrase = parts.map(({ text }) => text).join(' ');
      known.set(phrase, [...(known.get(phrase) ?? []), { term, category }]);
      longest = Math.max(longest, parts.length);
    }
  }

  return (text) => {
    const spoken = words(fold(text));
    const found = new Set<BlockedTermMatch>();
    for (const start of spoken.keys()) {
      let phrase = '';
      for (const { text, isJoined } of spoken.slice(start, start + longest)) {
        if (phrase && !isJoined) break;
        phrase += phrase ? ` ${text}` : text;
        for (const match of known.get(phrase) ?? []) found.add(match);
      }
    }
    return [...found];
  };
}
