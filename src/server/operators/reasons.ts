/** The reasons that operators pick from a list. Any other reason is words, which may name a person. */
import { actionReasons } from '../../contract/console/leads.ts';
import { openReasons } from '../../contract/console/people.ts';

/** Every reason of a list, without the one that asks for words. */
export const listedReasons: readonly string[] = [
  ...new Set([...openReasons, ...Object.values(actionReasons).flat()]),
].filter((reason) => reason !== 'other');
