/**
 * Group commit: items that arrive while transactions run go into the next one together. An idle batcher starts
 * at once, so an idle server adds no wait.
 *
 * Waiting items are shared among the free slots. In a single batch, the process would idle while the database
 * writes, and the database would idle while the process answers.
 */

type BatcherOptions<Item, Result> = {
  /** Processes the whole batch or nothing. @returns one result per item, in order */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Items with the same key are never in one batch. */
  key(item: Item): string;
  /**
   * Whether the whole batch failed for a common reason. After other errors, each item is retried alone. Default:
   * always.
   */
  isCommon?(error: unknown): boolean;
  /** Maximum number of items in a batch. */
  maxItems: number;
  /**
   * Fewer items than this stay in one batch: an extra transaction would cost more than it gains. Default:
   * `maxItems`.
   */
  minShared?: number;
  /** Maximum number of concurrent batches. Default: 1. */
  maxConcurrent?: number;
  /** Called with the size and duration of each successful batch. */
  onDone?(items: number, durationMs: number): void;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>) {
  const { run, key, isCommon = () => true, maxItems, onDone } = options;
  const { minShared = maxItems, maxConcurrent = 1 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let pending = 0;
  let running = 0;
  let isScheduled = false;
  let drained: (() => void)[] = [];

  function schedule(): void {
    if (isScheduled || running >= maxConcurrent || waiting.length === 0) return;
    isScheduled = true;
    // Wait for the other requests of this turn of the event loop, so that they share a batch.
    setImmediate(() => {
      isScheduled = false;
      while (running < maxConcurrent && waiting.length > 0) start(take());
    });
  }

  function start(batch: readonly Waiting<Item, Result>[]): void {
    running += 1;
    void runBatch(batch).finally(() => {
      running -= 1;
      pending -= batch.length;
      schedule();
      if (pending > 0) return;
      for (const resolve of drained) resolve();
      drained = [];
    });
  }

  function take(): Waiting<Item, Result>[] {
    const share = Math.ceil(waiting.length / (maxConcurrent - running));
    const size = Math.min(maxItems, Math.max(minShared, share));
    const keys = new Set<string>();
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    for (const each of waiting) {
      const itemKey = key(each.item);
      if (batch.length < size && !keys.has(itemKey)) {
        keys.add(itemKey);
        batch.push(each);
      } else {
        rest.push(each);
      }
    }
    waiting = rest;
    return batch;
  }

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const startedAtMs = performance.now();
    try {
      const results = await run(batch.map((each) => each.item));
      onDone?.(batch.length, performance.now() - startedAtMs);
      batch.forEach((each, index) => {
        each.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length === 1 || isCommon(error)) {
        for (const each of batch) each.reject(error);
        return;
      }
      for (const each of batch) await runBatch([each]);
    }
  }

  return {
    add(item: Item): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        pending += 1;
        schedule();
      });
    },
    /** Resolves when no items are waiting or running. */
    drain(): Promise<void> {
      return pending === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            drained.push(resolve);
          });
    },
    /** The number of waiting and running items. */
    get pending(): number {
      return pending;
    },
  };
}
