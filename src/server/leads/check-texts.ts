/** The checks of free text and names (document 1, section 5), as the routes and the lead need them. */
import type { TextCheckAnswer } from '../../contract/checks.ts';
import type { BlockedTermCheck, GibberishCheck, NameCheck } from './ports.ts';

export type TextChecks = {
  /** A check that fails says nothing ("errors return nothing"). */
  ofDescription(text: string): {
    is_gibberish?: 'yes' | 'no' | undefined;
    bad_words?: 'yes' | 'no' | undefined;
  };
  ofName(
    name: string,
    leadSource: string,
  ): { name_gibberish: 'yes' | 'no'; name_bad_word: 'yes' | 'no' };
};

/** A category of blocked terms that no name has. */
const PROFANITY = 'profanity';

export function createTextChecks(ports: {
  gibberish: GibberishCheck;
  blockedTerms: BlockedTermCheck;
  name: NameCheck;
}): TextChecks {
  return {
    ofDescription: (text) => ({
      is_gibberish: ports.gibberish(text),
      bad_words: ports.blockedTerms(text).length > 0 ? 'yes' : 'no',
    }),
    ofName(name, leadSource) {
      const check = ports.name(name, leadSource);
      const isBlocked = check.bad && check.reason === 'blocklisted';
      const isProfane = ports.blockedTerms(name).some((match) => match.category === PROFANITY);
      return {
        // What the name check finds wrong with the letters themselves is what gibberish looks like.
        name_gibberish: check.bad && !isBlocked ? 'yes' : 'no',
        name_bad_word: isBlocked || isProfane ? 'yes' : 'no',
      };
    },
  };
}

/** `name_gibberish` and `name_bad_word` of first and last name; nothing while there is no name. */
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

/** `POST /api/check/text`: a check that fails passes. */
export function checkText(checks: TextChecks, text: string): TextCheckAnswer {
  const { is_gibberish, bad_words } = checks.ofDescription(text);
  return { is_gibberish: is_gibberish ?? 'no', bad_words: bad_words ?? 'no' };
}
