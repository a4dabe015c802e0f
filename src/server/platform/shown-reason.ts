/** The reasons for operators' actions, and the roles that may read a reason. */
import type { Role } from '../../model/messages/console/people.ts';
import { listedReasons } from '../../model/messages/vocabulary.ts';

/** The text that viewers read instead of a typed reason. */
const FOR_OPERATORS = 'a reason that operators can read';

/** Returns the reason for a person with this role. Viewers never see a typed reason. */
export function reasonFor(role: Role, reason: string): string {
  const isFree = role !== 'viewer' || reason === '' || listedReasons.includes(reason);
  return isFree ? reason : FOR_OPERATORS;
}

/** Returns the reason of a destination's pause for a person with this role. */
export function pauseReasonFor(
  role: Role,
  { pausedBy, pauseReason }: { pausedBy: string | null; pauseReason: string | null },
): string | null {
  const isOurs = pausedBy === 'answer' || pauseReason === null;
  return isOurs ? pauseReason : reasonFor(role, pauseReason);
}
