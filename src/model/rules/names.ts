import { withoutAccents } from '../fields/text.ts';

/** Leads with these offer ids may have any name (docs/specification.md#name-check). */
const uncheckedLeadSources: readonly string[] = ['516', '180', '330'];

/** Words that people type in place of a name (docs/specification.md#name-check). */
const blockedNames: ReadonlySet<string> = new Set([
  ...'test tester testing prueba fake falso asdf qwerty none nobody nadie ninguno'.split(' '),
  ...'anonymous anonimo unknown desconocido firstname lastname nombre apellido'.split(' '),
  'first name',
  'last name',
  'no name',
  'sin nombre',
]);

/** The titles that a name may begin with. */
const titles = new Set(
  'dr doctor mr mrs ms miss mx sir madam prof rev fr hon sr sra srta dra'.split(' '),
);

const suffixes = new Set('jr sr ii iii iv dds phd md dvm esq'.split(' '));

const separators = /[\s\-‐‑–—'’‘`´.,]+/u;

function judgedParts(folded: string): string[] {
  const tokens = folded.split(/[\s,]+/u).filter((token) => token !== '');
  const isSuffix = (token = '') => suffixes.has(token.replaceAll('.', ''));
  while (tokens.length > 1 && isSuffix(tokens.at(-1))) tokens.pop();
  const parts = tokens.flatMap((token) => token.split(separators)).filter((part) => part !== '');
  while (parts.length > 1 && titles.has(parts[0] ?? '')) parts.shift();
  return parts.filter((part) => [...part].length > 1);
}

function isImplausible(part: string): boolean {
  if (/(\p{L})\1\1/u.test(part)) return true;
  // Names in other alphabets have no Latin vowels, which the rules below count.
  if (/[^\P{L}\p{Script=Latin}]/u.test(part)) return false;
  return !/[aeiouyæœøı]/.test(part) || /[^aeiouyæœøı]{5}/.test(part);
}

/** Returns the problem of a name, or undefined (docs/specification.md#name-check). */
export function checkName(name: string, leadSource: string): 'blocked' | 'implausible' | undefined {
  if (uncheckedLeadSources.includes(leadSource.trim())) return undefined;
  const folded = withoutAccents(name);
  if (blockedNames.has(folded.trim().replace(/\s+/g, ' '))) return 'blocked';
  const parts = judgedParts(folded);
  return parts.length === 0 || parts.some(isImplausible) ? 'implausible' : undefined;
}
