/** The reasons for an operator's action. A listed reason is public; a typed reason may name a person. */
import type { Role } from '../../model/messages/console/people.ts';
import { listedReasons } from '../../model/messages/vocabulary.ts';

/** Replaces a typed reason when a viewer reads it. */
const FOR_OPERATORS = 'a reason that operators can read';

/** Returns a reason as a role may read it. Viewers never see a typed reason, because it may name a person. */
export function reasonFor(role: Role, reason: string): string {
  const isFree = role !== 'viewer' || reason === '' || listedReasons.includes(reason);
  return isFree ? reason : FOR_OPERATORS;
}

/** Returns why a destination is paused, as a role may read it. Reasons that our code wrote are shown to all. */
export function pauseReasonFor(
  role: Role,
  { pausedBy, pauseReason }: { pausedBy: string | null; pauseReason: string | null },
): string | null {
  const isOurs = pausedBy === 'answer' || pauseReason === null;
  return isOurs ? pauseReason : reasonFor(role, pauseReason);
}
