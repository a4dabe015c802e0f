import type { Outbox } from './outbox.ts';

/** Equals `VISIT_LIFETIME_MS`. Importing it would add the survey's code to every page. */
export const MAX_VISIT_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes the data of old visits, except unsent leads and progress. `current` is the lead id of
 * this page's visit.
 */
export async function forgetOldVisits(
  outbox: Pick<Outbox, 'visits' | 'forgetVisits' | 'list' | 'change'>,
  current?: string,
  nowMs: number = Date.now(),
): Promise<void> {
  const present = new Set([current]);
  for (const { lead_id, saved_at, visit } of await outbox.visits()) {
    // A wrong clock can store a date in the future. Such a visit counts as old.
    if (Math.abs(nowMs - saved_at) < MAX_VISIT_AGE_MS) present.add(lead_id);
    else if (visit !== undefined) await outbox.forgetVisits(lead_id);
  }
  for (const { key, lead_id } of await outbox.list('save')) {
    if (present.has(lead_id)) continue;
    await outbox.change(key, (save) => {
      const isOver = save?.kind === 'save' && (save.data.length === 0 || save.stopped);
      return isOver ? undefined : save;
    });
  }
}
