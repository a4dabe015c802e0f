/** Describes the events of a lead for `leads show`. */
import type { LeadEventRow } from '../server/storage/schema.ts';

/** Returns what was done to a lead and by whom. */
export function eventText({ kind, actor, detail }: LeadEventRow): string {
  if (kind === 'resent') {
    const was = detail.was === undefined ? '' : `; it was ${stateText(String(detail.was))}`;
    const note = detail.note === undefined ? `Sent again by ${actor}` : String(detail.note);
    return `${note}${detail.forced ? ', forced' : ''}${was}${covered(detail)}`;
  }
  if (kind === 'suppressed') {
    const stopped = listOf<string>(detail.stopped);
    const what = stopped.length === 0 ? '' : `; stopped: ${stopped.join(', ')}`;
    const resumed = listOf<string>(detail.resumed);
    const goesOn = resumed.length === 0 ? '' : `; resumed: ${resumed.join(', ')}`;
    return detail.undone
      ? `taken off the suppression list by ${actor}${goesOn}`
      : `put on the suppression list by ${actor}${what}`;
  }
  const revisions = listOf<{ revision: number; body_sha256: string }>(detail.revisions);
  const proof = revisions.map((one) => `; revision ${one.revision} was ${one.body_sha256}`);
  return `${kind} by ${actor}${covered(detail)}${proof.join('')}`;
}

/** Returns the revision and reasons that a release covered, or '' for other events. */
function covered({ revision, reasons }: LeadEventRow['detail']): string {
  if (revision === undefined) return '';
  const held = listOf<string>(reasons);
  return `; covers revision ${revision}${held.length === 0 ? '' : `, held for ${held.join(', ')}`}`;
}

/** Returns the state of a delivery in words. */
export function stateText(state: string): string {
  return state === 'no_destination' ? 'no destination' : state;
}

/** Returns a JSON value if it is a list, else an empty list. */
export function listOf<Item>(value: unknown): Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}
