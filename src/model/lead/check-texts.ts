/**
 * The checks of free text and names (docs/specification.md#gibberish-check,
 * docs/specification.md#blocked-terms, docs/specification.md#name-check).
 */
import type { TextCheckAnswer } from '../messages/checks.ts';
import { isGibberish } from '../rules/gibberish.ts';
import { checkName } from '../rules/names.ts';

/** Returns the blocked terms in a text, each with its category. */
export type BlockedTermCheck = (
  text: string,
) => readonly { readonly term: string; readonly category: string }[];

export type TextChecks = {
  /** Checks a description up to the page's length limit. */
  ofDescription(text: string): TextCheckAnswer;
  ofName(
    name: string,
    leadSource: string,
  ): { name_gibberish: 'yes' | 'no'; name_bad_word: 'yes' | 'no' };
};

/** The category of blocked terms that also makes a name bad. */
const PROFANITY = 'profanity';

/**
 * @param blockedTerms our lists
 * @param descriptionLimit the setting DESCRIPTION_LIMIT, in characters; it bounds the cost of a check
 */
export function createTextChecks(
  blockedTerms: BlockedTermCheck,
  descriptionLimit: number,
): TextChecks {
  return {
    ofDescription(text) {
      const read = text.slice(0, descriptionLimit);
      return {
        is_gibberish: isGibberish(read) ? 'yes' : 'no',
        bad_words: blockedTerms(read).length > 0 ? 'yes' : 'no',
      };
    },
    ofName(name, leadSource) {
      const problem = checkName(name, leadSource);
      const isProfane = blockedTerms(name).some((match) => match.category === PROFANITY);
      return {
        name_gibberish: problem === 'implausible' ? 'yes' : 'no',
        name_bad_word: problem === 'blocked' || isProfane ? 'yes' : 'no',
      };
    },
  };
}

/** Returns `name_gibberish` and `name_bad_word` for first and last name; {} if there is no name. */
export function checkNames(
  checks: TextChecks,
  fields: Readonly<Record<string, string>>,
  leadSource: string,
): Record<string, string> {
  const names = [fields.first_name, fields.last_name].filter((name) => name);
  if (names.length === 0) return {};
  const found = names.map((name) => checks.ofName(name as string, leadSource));
  return {
    name_gibberish: found.some((each) => each.name_gibberish === 'yes') ? 'yes' : 'no',
    name_bad_word: found.some((each) => each.name_bad_word === 'yes') ? 'yes' : 'no',
  };
}
