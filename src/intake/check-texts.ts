/**
 * The checks of free text and names (docs/specification.md#gibberish-check,
 * docs/specification.md#blocked-terms, docs/specification.md#name-check), as the routes and the lead
 * need them.
 */
import type { TextCheckAnswer } from '../contract/checks.ts';

/** Whether a text is gibberish. Undefined: the service failed ("errors return nothing"). */
export type GibberishCheck = (text: string) => boolean | undefined;

/** The blocked terms in a text, each with its category. */
export type BlockedTermCheck = (
  text: string,
) => readonly { readonly term: string; readonly category: string }[];

/** Whether a name is bad (docs/specification.md#name-check). */
export type NameCheck = (name: string, leadSource: string) => { bad: boolean; reason?: string };

export type TextChecks = {
  /**
   * Reads no more of the text than the page takes. A check that fails says nothing ("errors return
   * nothing").
   */
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
  /** In characters (setting DESCRIPTION_LIMIT): what a check costs grows with the text. */
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
