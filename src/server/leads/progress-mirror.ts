/** Sends saved progress to `SAVE_DATA_URL` (docs/specification.md#saving-progress). */

import { postJson, type Service } from '../checks/index.ts';
import { createBatcher } from '../platform/database/batcher.ts';
import { isSuccess } from '../platform/outgoing-answer.ts';
import type { SavedProgress } from './save-progress.ts';

/** Maximum number of unsent requests, each about 1 kB. Further requests are dropped. */
const MAX_PENDING = 1_000;

/** Returns the function that sends saved progress to `SAVE_DATA_URL`. */
export function createProgressMirror(service: Service, onLeftOut: () => void) {
  let isLeavingOut = false;
  const queue = createBatcher<SavedProgress, unknown>({
    run: (copies) =>
      Promise.all(
        copies.map((saved) =>
          service.ask(
            postJson('/api/save-data', saved),
            (answer) => isSuccess(answer) || undefined,
          ),
        ),
      ),
    key: () => '',
    maxItems: 1,
    maxConcurrent: 4,
  });
  return (saved: SavedProgress): void => {
    const isFull = queue.pending >= MAX_PENDING;
    if (isFull && !isLeavingOut) onLeftOut();
    isLeavingOut = isFull;
    if (!isFull) void queue.add(saved);
  };
}
