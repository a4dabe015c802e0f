/**
 * Group commit: what arrives while transactions are under way goes together into the next one. When
 * nothing is under way it starts at once, so an idle server adds no wait.
 *
 * What waits is shared among the free slots: with everything in one batch, the process would be idle
 * while the database writes, and the database while the process answers and takes the next requests.
 */

export type BatcherOptions<Item, Result> = {
  /** Does all of a batch, or none. @returns one result an item, in their order */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Two items of the same key are never in one batch. */
  key(item: Item): string;
  /**
   * Whether an error says nothing about the items themselves: then all of them failed. Any other
   * error may be one item's fault, and each is done by itself.
   */
  isCommon(error: unknown): boolean;
  /** Most items in a batch. */
  maxItems: number;
  /** Fewer than these are not shared among free slots: a transaction costs more than they gain. */
  minShared: number;
  /** Batches under way at once. */
  maxConcurrent: number;
  /** Told of each batch that was done, and how long it took. */
  onDone?(items: number, durationMs: number): void;
};

export type Batcher<Item, Result> = {
  add(item: Item): Promise<Result>;
  /** Resolves when nothing waits and nothing is under way. */
  drain(): Promise<void>;
  /** Items that wait or are under way. */
  readonly pending: number;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): Batcher<Item, Result> {
  const { run, key, isCommon, maxItems, minShared, maxConcurrent, onDone } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let pending = 0;
  let running = 0;
  let isScheduled = false;
  let drained: (() => void)[] = [];

  function schedule(): void {
    if (isScheduled || running >= maxConcurrent || waiting.length === 0) return;
    isScheduled = true;
    // After the requests that this turn of the event loop has read, so that they share a batch.
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
    add(item) {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        pending += 1;
        schedule();
      });
    },
    drain() {
      return pending === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            drained.push(resolve);
          });
    },
    get pending() {
      return pending;
    },
  };
}
