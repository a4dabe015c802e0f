import { readFile } from 'node:fs/promises';
import { languages } from '../../model/fields/language.ts';
import type { BlockedTermCheck } from '../../model/lead/context.ts';
import { type BlockedTerms, createBlockedTermMatcher } from '../../model/rules/blocked-terms.ts';

/** `content/blocked-terms/`, one file per language; all are applied. */
const TERMS = new URL('../../../content/blocked-terms/', import.meta.url);

/** Loads our lists of blocked terms. @throws if a list cannot be read or contains an empty term */
export async function loadBlockedTermCheck(): Promise<BlockedTermCheck> {
  const lists = await Promise.all(
    languages.map(
      async (language): Promise<BlockedTerms> =>
        JSON.parse(await readFile(new URL(`${language}.json`, TERMS), 'utf8')),
    ),
  );
  return createBlockedTermMatcher(...lists);
}
