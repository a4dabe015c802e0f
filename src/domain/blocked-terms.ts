import { isAscii } from './text.ts';

/**
 * Terms by category, as in `content/blocked-terms/<language>.json`
 * (docs/specification.md#blocked-terms).
 */
export type BlockedTerms = Readonly<Record<string, readonly string[]>>;

/** One blocked term found in a text: the term as listed, and its category. */
export type BlockedTermMatch = { readonly term: string; readonly category: string };

/** Finds the blocked terms of a text: each once, in the order in which they first end. */
export type BlockedTermMatcher = (text: string) => BlockedTermMatch[];

type Word = { readonly text: string; readonly start: number; readonly end: number };

/** One word deeper in a phrase; `matches` are the terms that end here. */
type Node = { readonly next: Map<string, Node>; readonly matches: BlockedTermMatch[] };

/**
 * Lower case without accents. The tilde of ñ stays: ñ is a letter of its own, and años and coños are
 * not anos and conos (traffic cones do occur in accident descriptions).
 */
function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(?<!n)\u0303|[\u0300-\u0302\u0304-\u036f]/g, '')
    .normalize('NFC');
}

/** Words with their place in the folded text. An apostrophe inside a word is left out: don't, dont. */
function words(folded: string): Word[] {
  const found: Word[] = [];
  for (const match of folded.matchAll(/[\p{L}\p{N}_]+(?:['’‘`´][\p{L}\p{N}_]+)*|&/gu)) {
    const text = match[0] === '&' ? 'and' : match[0].replace(/['’‘`´]/g, '');
    found.push({ text, start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** What may stand between two words of one phrase: blanks, dashes and percent signs, but no end of a sentence. */
const gap = /^[\s\-‐‑–—/%]*$/u;

/**
 * Compiles term lists into one word trie. A term matches whole words only, anchored by a non-word
 * character or the edge of the text on each side, whatever the case and the accents
 * (docs/specification.md#blocked-terms). Time is linear in the text: at every word at most as many
 * steps as the longest term has words.
 * @throws TypeError for a term without a word character, which would match everywhere or nowhere.
 */
export function createBlockedTermMatcher(...lists: readonly BlockedTerms[]): BlockedTermMatcher {
  const root: Node = { next: new Map(), matches: [] };
  for (const list of lists) {
    for (const [category, terms] of Object.entries(list)) {
      for (const term of terms) {
        const parts = words(fold(term));
        if (parts.length === 0) {
          throw new TypeError(`Blocked term without a word: ${JSON.stringify(term)} (${category})`);
        }
        let node = root;
        for (const { text } of parts) {
          let child = node.next.get(text);
          if (!child) {
            child = { next: new Map(), matches: [] };
            node.next.set(text, child);
          }
          node = child;
        }
        if (!node.matches.some((each) => each.category === category)) {
          node.matches.push({ term, category });
        }
      }
    }
  }

  return (text) => {
    const folded = fold(text);
    const spoken = words(folded);
    const found = new Set<BlockedTermMatch>();
    for (let start = 0; start < spoken.length; start += 1) {
      let node = root.next.get(spoken[start]!.text);
      for (let at = start; node; at += 1) {
        for (const match of node.matches) found.add(match);
        const next = spoken[at + 1];
        if (!next || !gap.test(folded.slice(spoken[at]!.end, next.start))) break;
        node = node.next.get(next.text);
      }
    }
    return [...found];
  };
}
