/** The reasons that operators pick from a list. Any other reason is words, which may name a person. */
import type { Role } from '../../model/messages/console/people.ts';
import { listedReasons } from '../../model/messages/vocabulary.ts';

/** Stands where a viewer could read the words of a reason. */
const FOR_OPERATORS = 'a reason that operators can read';

/** Returns a reason as a role may read it. Words may name a person, so viewers only read that there are some. */
export function reasonFor(role: Role, reason: string): string {
  const isFree = role !== 'viewer' || reason === '' || listedReasons.includes(reason);
  return isFree ? reason : FOR_OPERATORS;
}

/** Returns why a destination is paused as a role may read it. What its answer was is in our own words. */
export function pauseReasonFor(
  role: Role,
  { pausedBy, pauseReason }: { pausedBy: string | null; pauseReason: string | null },
): string | null {
  const isOurs = pausedBy === 'answer' || pauseReason === null;
  return isOurs ? pauseReason : reasonFor(role, pauseReason);
}
