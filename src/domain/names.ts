import { isAscii } from './text.ts';

/** Lead source numbers whose names are not checked (docs/specification.md#name-check). */
export const uncheckedLeadSources: readonly string[] = ['516', '180', '330'];

/** Why a name is bad. */
export type NameProblem =
  | 'blocklisted'
  | 'nothing_left'
  | 'too_short'
  | 'no_vowel'
  | 'repeated_letter'
  | 'consonant_run';

/** What the name check found. `part` is the folded part that failed; the whole name when none is left. */
export type NameCheckResult = {
  readonly bad: boolean;
  readonly reason?: NameProblem;
  readonly part?: string;
};

/**
 * Titles, with or without a dot (docs/specification.md#name-check). Don, Gen and Father are given names
 * or words as well, so they are no titles.
 */
const titles = new Set(
  'dr doctor mr mrs ms miss mx sir madam prof rev fr hon sr sra srta dra'.split(' '),
);

/** Stripped after a name, with or without dots. */
const suffixes = new Set('jr sr ii iii iv dds phd md dvm esq'.split(' '));

/** Lower case without accents; letters that Unicode does not decompose are written out. */
function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
    .replaceAll('đ', 'd')
    .replaceAll('ð', 'd')
    .replaceAll('þ', 'th')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .normalize('NFC');
}

const separators = /[\s\-‐‑–—'’‘`´.,]+/u;

function characters(text: string): number {
  return [...text].length;
}

/**
 * Returns the parts of a name that the rules judge: without titles before it, suffixes after it, and
 * single characters. A title or suffix that is the whole name is judged as a name.
 */
function judgedParts(folded: string): string[] {
  const tokens = folded.split(/[\s,]+/u).filter((token) => token !== '');
  const isSuffix = (token = '') => suffixes.has(token.replaceAll('.', ''));
  while (tokens.length > 1 && isSuffix(tokens.at(-1))) tokens.pop();
  const parts = tokens.flatMap((token) => token.split(separators)).filter((part) => part !== '');
  while (parts.length > 1 && titles.has(parts[0] ?? '')) parts.shift();
  return parts.filter((part) => characters(part) > 1);
}

function problemOf(part: string): NameProblem | undefined {
  if (characters(part) < 2) return 'too_short';
  if (/(\p{L})\1\1/u.test(part)) return 'repeated_letter';
  // Letters of other scripts than ours say nothing about vowels.
  if (/[^\P{L}a-z]/u.test(part)) return undefined;
  if (!/[aeiouy]/.test(part)) return 'no_vowel';
  return /[^aeiouy]{5}/.test(part) ? 'consonant_run' : undefined;
}

/**
 * The name check (docs/specification.md#name-check). A name is bad when it is in the blocklist, when
 * nothing of it is left without single characters, or when a part is shorter than 2
 * characters, has no vowel (y and accented vowels count), has one letter 3 times in a row, or 5
 * non-vowels in a row. For the three lead sources that are not checked, nothing is bad.
 *
 * @param name A first name, a last name, or both.
 * @param options `leadSource`: the offer id; `blocklist`: names, whatever their case and accents.
 */
export function checkName(
  name: string,
  options: { readonly leadSource?: string | number; readonly blocklist: Iterable<string> },
): NameCheckResult {
  if (uncheckedLeadSources.includes(String(options.leadSource ?? '').trim())) return { bad: false };
  const folded = fold(name).trim().replace(/\s+/g, ' ');
  const parts = judgedParts(folded);
  const stripped = parts.join(' ');
  for (const blocked of options.blocklist) {
    const term = fold(blocked).trim().replace(/\s+/g, ' ');
    if (term !== '' && (term === folded || term === stripped)) {
      return { bad: true, reason: 'blocklisted', part: term };
    }
  }
  if (parts.length === 0) return { bad: true, reason: 'nothing_left', part: folded };
  for (const part of parts) {
    const reason = problemOf(part);
    if (reason) return { bad: true, reason, part };
  }
  return { bad: false };
}
