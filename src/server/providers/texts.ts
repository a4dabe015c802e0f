/** The embedded checks of free text and names: the domain's own rules over our own lists. */
import { readFile } from 'node:fs/promises';
import { type BlockedTerms, createBlockedTermMatcher } from '../../domain/blocked-terms.ts';
import { isGibberish } from '../../domain/gibberish.ts';
import { languages } from '../../domain/language.ts';
import { checkName, uncheckedLeadSources } from '../../domain/names.ts';
import { isAscii } from '../../domain/text.ts';
import type { BlockedTermCheck, GibberishCheck, NameCheck } from '../../intake/check-texts.ts';

/** `content/blocked-terms/`, one file a language; both are always applied. */
const TERMS = new URL('../../../content/blocked-terms/', import.meta.url);

/**
 * Whole names that people type who do not want to give theirs (docs/specification.md#name-check; the
 * list is ours). Names that people really have are not in it.
 */
const blockedNames: ReadonlySet<string> = new Set([
  'test',
  'tester',
  'testing',
  'prueba',
  'fake',
  'falso',
  'asdf',
  'qwerty',
  'none',
  'nobody',
  'nadie',
  'ninguno',
  'anonymous',
  'anonimo',
  'unknown',
  'desconocido',
  'first name',
  'last name',
  'firstname',
  'lastname',
  'nombre',
  'apellido',
  'no name',
  'sin nombre',
]);

/** @throws when a list cannot be read or has a term without a word */
export async function loadBlockedTermCheck(): Promise<BlockedTermCheck> {
  const lists = await Promise.all(
    languages.map(
      async (language): Promise<BlockedTerms> =>
        JSON.parse(await readFile(new URL(`${language}.json`, TERMS), 'utf8')),
    ),
  );
  return createBlockedTermMatcher(...lists);
}

/** A check that fails says nothing ("errors return nothing"). */
export const checkGibberish: GibberishCheck = (text) => {
  try {
    return isGibberish(text);
  } catch {
    return undefined;
  }
};

/** Blocklist first: `checkName` folds each of its entries at every call, and these are folded. */
export const checkPersonName: NameCheck = (name, leadSource) => {
  const isChecked = !uncheckedLeadSources.includes(leadSource);
  const plain = (isAscii(name) ? name : name.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase();
  if (isChecked && blockedNames.has(plain.trim().replace(/\s+/g, ' '))) {
    return { bad: true, reason: 'blocklisted' };
  }
  return checkName(name, { leadSource, blocklist: [] });
};
