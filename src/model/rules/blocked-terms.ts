import { isAscii } from '../fields/text.ts';

/** The blocked terms of a language, by category. */
export type BlockedTerms = Readonly<Record<string, readonly string[]>>;

type BlockedTermMatch = { readonly term: string; readonly category: string };

/** Returns the blocked terms in a text. */
export type BlockedTermMatcher = (text: string) => readonly BlockedTermMatch[];

type Word = { readonly text: string; readonly start: number; readonly end: number };

/** A node of a trie of words, with the terms that end at the node. */
type Node = { readonly next: Map<string, Node>; readonly matches: BlockedTermMatch[] };

/** Lower-cases a text, and removes all accents except the tilde of ñ. */
function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(?<!n)\u0303|[\u0300-\u0302\u0304-\u036f]/g, '')
    .normalize('NFC');
}

function words(folded: string): Word[] {
  const found: Word[] = [];
  for (const match of folded.matchAll(/[\p{L}\p{N}_]+(?:['’‘`´][\p{L}\p{N}_]+)*|&/gu)) {
    const text = match[0] === '&' ? 'and' : match[0].replace(/['’‘`´]/g, '');
    found.push({ text, start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** Matches the characters that may separate the words of a phrase. */
const gap = /^[\s\-‐‑–—/%]*$/u;

/** Creates a matcher for blocked terms. @throws TypeError for a blank term */
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
