import type { Outbox } from './outbox.ts';

/**
 * How long a visit is taken up again (`VISIT_LIFETIME_MS`; a test keeps them together). With an import of it,
 * every page would load more of the survey's code.
 */
export const KEPT_FOR_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes what is known of visits that stopped longer ago than one is taken up again: answers, click and
 * secret. Unsent leads stay, and progress until the server has it. Never throws. Any page may import this.
 *
 * @param current the lead id of the visit on this page, which may not be kept yet
 */
export async function forgetOldVisits(
  outbox: Pick<Outbox, 'visits' | 'forgetVisits' | 'list' | 'change'>,
  current?: string,
  nowMs: number = Date.now(),
): Promise<void> {
  const present = new Set([current]);
  for (const { lead_id, saved_at, visit } of await outbox.visits()) {
    // A date in the future is of a clock that was ahead.
    if (Math.abs(nowMs - saved_at) < KEPT_FOR_MS) present.add(lead_id);
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
