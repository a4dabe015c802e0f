/** Commits items in batches: items that arrive during a transaction share the next transaction. */

/** At most this number of items always share one transaction, because that is fastest. */
const MIN_SHARED = 8;

type BatcherOptions<Item, Result> = {
  /** Processes all items, or throws and changes nothing. Returns the results in order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Items with the same key are never in the same batch. */
  key(item: Item): string;
  /** Returns whether an error affects every item of the batch, so that no item is retried. */
  isCommon?(error: unknown): boolean;
  maxItems: number;
  maxConcurrent?: number;
  /** Called with the size and duration of each successful batch. */
  onDone?(items: number, durationMs: number): void;
};

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item };

export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>) {
  const { run, key, isCommon = () => true, maxItems, maxConcurrent = 1, onDone } = options;
  let waiting: Waiting<Item, Result>[] = [];
  const unfinished = new Set<Promise<Result>>();
  let running = 0;

  function startBatches(): void {
    while (running < maxConcurrent && waiting.length > 0) void start(take());
  }

  async function start(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    running += 1;
    await runBatch(batch);
    running -= 1;
    startBatches();
  }

  function take(): Waiting<Item, Result>[] {
    const share = Math.ceil(waiting.length / (maxConcurrent - running));
    const size = Math.min(maxItems, Math.max(MIN_SHARED, share));
    const batch = new Map<string, Waiting<Item, Result>>();
    waiting = waiting.filter((each) => {
      const itemKey = key(each.item);
      if (batch.size >= size || batch.has(itemKey)) return true;
      batch.set(itemKey, each);
      return false;
    });
    return [...batch.values()];
  }

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const startedAtMs = performance.now();
    try {
      const results = await run(batch.map((each) => each.item));
      onDone?.(batch.length, performance.now() - startedAtMs);
      for (const [index, each] of batch.entries()) each.resolve(results[index] as Result);
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
      const added = { item, ...Promise.withResolvers<Result>() };
      const { promise } = added;
      waiting.push(added);
      unfinished.add(promise);
      const forget = () => unfinished.delete(promise);
      promise.then(forget, forget);
      // Waits for the next turn of the event loop, so that all items of this turn share a batch.
      setImmediate(startBatches);
      return promise;
    },
    /** Resolves when no items are waiting or running. */
    async drain(): Promise<void> {
      while (unfinished.size > 0) await Promise.allSettled(unfinished);
    },
    get pending(): number {
      return unfinished.size;
    },
  };
}
