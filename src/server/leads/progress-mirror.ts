/**
 * Copies saved progress to `SAVE_DATA_URL`: `POST {base}/api/save-data` with `session` and `data`, as
 * browsers send them (docs/specification.md#saving-progress, docs/decisions/0024-checks.md). Each copy is tried once
 * and may be dropped, because our own database has the original.
 */

import { postJson, type Service } from '../checks/index.ts';
import { isSuccess } from '../platform/outgoing-answer.ts';
import type { SavedProgress } from './save-progress.ts';

/** Maximum number of waiting copies, about 1 kB each. Copies beyond it are dropped. */
const MAX_WAITING = 1_000;
const MAX_UNDER_WAY = 4;

type ProgressMirror = {
  /** Queues a copy. Never throws. */
  copy(saved: SavedProgress): void;
};

/** @param onLeftOut called when copies begin to be dropped */
export function createProgressMirror(service: Service, onLeftOut: () => void): ProgressMirror {
  const waiting: SavedProgress[] = [];
  let underWay = 0;
  let isLeavingOut = false;

  function work(): void {
    while (underWay < MAX_UNDER_WAY) {
      const next = waiting.shift();
      if (next === undefined) return;
      underWay += 1;
      const request = postJson('/api/save-data', next);
      void service
        .ask(request, (answer) => isSuccess(answer) || undefined)
        .then(() => {
          underWay -= 1;
          work();
        });
    }
  }

  return {
    copy(saved) {
      if (waiting.length >= MAX_WAITING) {
        if (!isLeavingOut) onLeftOut();
        isLeavingOut = true;
        return;
      }
      isLeavingOut = false;
      waiting.push(saved);
      work();
    },
  };
}
