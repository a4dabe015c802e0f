/**
 * The checks of free text and names (docs/specification.md#gibberish-check,
 * docs/specification.md#blocked-terms, docs/specification.md#name-check).
 */
import type { TextCheckAnswer } from '../contract/checks.ts';

/** Returns whether a text is gibberish; undefined if the check failed. */
export type GibberishCheck = (text: string) => boolean | undefined;

/** Returns the blocked terms in a text, each with its category. */
export type BlockedTermCheck = (
  text: string,
) => readonly { readonly term: string; readonly category: string }[];

/** Returns whether a name is bad, and why. */
export type NameCheck = (name: string, leadSource: string) => { bad: boolean; reason?: string };

export type TextChecks = {
  /** Checks a description up to the page's length limit. A failed check returns undefined. */
  ofDescription(text: string): {
    is_gibberish?: 'yes' | 'no' | undefined;
    bad_words?: 'yes' | 'no' | undefined;
  };
  ofName(
    name: string,
    leadSource: string,
  ): { name_gibberish: 'yes' | 'no'; name_bad_word: 'yes' | 'no' };
};

/** The category of blocked terms that also makes a name bad. */
const PROFANITY = 'profanity';

export function createTextChecks(ports: {
  gibberish: GibberishCheck;
  blockedTerms: BlockedTermCheck;
  name: NameCheck;
  /** Setting DESCRIPTION_LIMIT, in characters. It bounds the cost of a check. */
  descriptionLimit: number;
}): TextChecks {
  return {
    ofDescription(text) {
      const read = text.slice(0, ports.descriptionLimit);
      const isGibberish = ports.gibberish(read);
      return {
        is_gibberish: isGibberish === undefined ? undefined : isGibberish ? 'yes' : 'no',
        bad_words: ports.blockedTerms(read).length > 0 ? 'yes' : 'no',
      };
    },
    ofName(name, leadSource) {
      const check = ports.name(name, leadSource);
      const isBlocked = check.bad && check.reason === 'blocklisted';
      const isProfane = ports.blockedTerms(name).some((match) => match.category === PROFANITY);
      return {
        // A bad name that is not in the blocklist has implausible letters.
        name_gibberish: check.bad && !isBlocked ? 'yes' : 'no',
        name_bad_word: isBlocked || isProfane ? 'yes' : 'no',
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

/** Answers `POST /api/check/text`. A failed check counts as passed. */
export function checkText(checks: TextChecks, text: string): TextCheckAnswer {
  const { is_gibberish, bad_words } = checks.ofDescription(text);
  return { is_gibberish: is_gibberish ?? 'no', bad_words: bad_words ?? 'no' };
}
