/** The embedded checks of free text and names: the domain's rules with our own lists. */
import { readFile } from 'node:fs/promises';
import { type BlockedTerms, createBlockedTermMatcher } from '../../domain/blocked-terms.ts';
import { isGibberish } from '../../domain/gibberish.ts';
import { languages } from '../../domain/language.ts';
import { checkName, uncheckedLeadSources } from '../../domain/names.ts';
import { isAscii } from '../../domain/text.ts';
import type { BlockedTermCheck, GibberishCheck, NameCheck } from '../../intake/check-texts.ts';

/** `content/blocked-terms/`, one file per language; all are applied. */
const TERMS = new URL('../../../content/blocked-terms/', import.meta.url);

/**
 * Words that people type instead of their names (docs/specification.md#name-check). The list is ours, and
 * excludes names that people really have.
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

/** @throws if a list cannot be read or contains an empty term */
export async function loadBlockedTermCheck(): Promise<BlockedTermCheck> {
  const lists = await Promise.all(
    languages.map(
      async (language): Promise<BlockedTerms> =>
        JSON.parse(await readFile(new URL(`${language}.json`, TERMS), 'utf8')),
    ),
  );
  return createBlockedTermMatcher(...lists);
}

/** Returns undefined if the check throws. */
export const checkGibberish: GibberishCheck = (text) => {
  try {
    return isGibberish(text);
  } catch {
    return undefined;
  }
};

/** Looks the name up in our list of words that stand for no name, then checks its letters. */
export const checkPersonName: NameCheck = (name, leadSource) => {
  const isChecked = !uncheckedLeadSources.includes(leadSource);
  const plain = (isAscii(name) ? name : name.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase();
  if (isChecked && blockedNames.has(plain.trim().replace(/\s+/g, ' '))) {
    return { bad: true, reason: 'blocklisted' };
  }
  return checkName(name, leadSource);
};
