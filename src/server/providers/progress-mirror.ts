/**
 * Copies saved progress to a configured address (docs/specification.md#saving-progress,
 * docs/decisions/0024-checks.md): `POST {base}/api/save-data` with `session` and `data`, as the browser sends
 * them. From memory, with an end to what waits, each copy tried once: the truth is our own database.
 */
import type { SavedProgress } from '../visits/progress-store.ts';
import type { Service } from './service.ts';

/** Copies that wait at most, about 1 kB each; a further one is left out. */
const MAX_WAITING = 1_000;
/** Calls under way at once. */
const MAX_UNDER_WAY = 4;

export type ProgressMirror = {
  /** Never throws, and nothing waits for it. */
  copy(saved: SavedProgress): void;
  /** Copies that were left out since the start. */
  readonly leftOut: number;
};

/** @param onLeftOut called for the first copy that is left out after one that was not */
export function createProgressMirror(service: Service, onLeftOut: () => void): ProgressMirror {
  const waiting: SavedProgress[] = [];
  let underWay = 0;
  let leftOut = 0;
  let isLeavingOut = false;

  function work(): void {
    while (underWay < MAX_UNDER_WAY) {
      const next = waiting.shift();
      if (next === undefined) return;
      underWay += 1;
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(next);
      const request = { method: 'POST', path: '/api/save-data', headers, body } as const;
      // What it says of its own backup is nothing that we could do anything about.
      const isTaken = ({ status }: { status: number }) =>
        (status >= 200 && status <= 299) || undefined;
      void service.ask(request, isTaken).then(() => {
        underWay -= 1;
        work();
      });
    }
  }

  return {
    copy(saved) {
      if (waiting.length >= MAX_WAITING) {
        leftOut += 1;
        if (!isLeavingOut) onLeftOut();
        isLeavingOut = true;
        return;
      }
      isLeavingOut = false;
      waiting.push(saved);
      work();
    },
    get leftOut() {
      return leftOut;
    },
  };
}
