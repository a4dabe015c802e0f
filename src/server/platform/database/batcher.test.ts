import { describe, expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';

/** Creates a batcher. Each batch runs until the test ends it. */
function controlled({ maxConcurrent = 1 } = {}) {
  const batches: { items: string[]; end(error?: Error): Promise<void> }[] = [];
  const done: number[] = [];
  const batcher = createBatcher<string, string>({
    maxItems: 20,
    maxConcurrent,
    key: (item) => item.slice(0, 1),
    isCommon: (error) => (error as Error).message === 'common',
    onDone: (items, durationMs) => durationMs >= 0 && done.push(items),
    run: (items) =>
      new Promise((resolve, reject) => {
        batches.push({
          items: [...items],
          async end(error) {
            if (error) reject(error);
            else resolve(items.map((item) => `done ${item}`));
            await turns();
          },
        });
      }),
  });
  return { batcher, batches, done, itemsOf: () => batches.map((batch) => batch.items) };
}

/** Waits for some turns of the event loop, because the next batch starts on a later turn. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('A batcher', () => {
  it('collects the items that arrive while a batch runs', async () => {
    const { batcher, batches, itemsOf } = controlled();
    const first = batcher.add('a');
    await turns();
    const rest = ['b', 'c', 'd'].map((item) => batcher.add(item));
    await turns();
    expect(itemsOf()).toEqual([['a']]);
    await batches[0]?.end();
    expect(await first).toBe('done a');
    expect(itemsOf()).toEqual([['a'], ['b', 'c', 'd']]);
    await batches[1]?.end();
    expect(await Promise.all(rest)).toEqual(['done b', 'done c', 'done d']);
  });

  it('distributes the waiting items over as many batches as may run at once', async () => {
    const sizesOf = async (maxConcurrent: number, items: number) => {
      const { batcher, itemsOf } = controlled({ maxConcurrent });
      for (let index = 0; index < items; index += 1) void batcher.add(String.fromCharCode(index));
      await turns();
      return itemsOf().map(({ length }) => length);
    };
    expect(await sizesOf(2, 18)).toEqual([9, 9]);
    expect(await sizesOf(2, 10)).toEqual([8, 2]);
    expect(await sizesOf(1, 30)).toEqual([20]);
  });

  it('puts items with the same key into different batches', async () => {
    const { batcher, batches, itemsOf } = controlled();
    void batcher.add('a1');
    void batcher.add('a2');
    void batcher.add('b');
    await turns();
    await batches[0]?.end();
    expect(itemsOf()).toEqual([['a1', 'b'], ['a2']]);
  });

  it('retries the items of a failed batch one by one', async () => {
    const { batcher, batches, itemsOf } = controlled();
    const results = Promise.allSettled(['a', 'b', 'c'].map((item) => batcher.add(item)));
    await turns();
    await batches[0]?.end(new Error('one of them'));
    await batches[1]?.end();
    await batches[2]?.end(new Error('it was b'));
    await batches[3]?.end();
    expect(itemsOf()).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    expect((await results).map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('rejects every item of a batch after an error that affects the whole batch', async () => {
    const { batcher, batches, itemsOf } = controlled();
    const results = Promise.allSettled(['a', 'b'].map((item) => batcher.add(item)));
    await turns();
    await batches[0]?.end(new Error('common'));
    expect((await results).map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(itemsOf()).toHaveLength(1);
    expect(batcher.pending).toBe(0);
  });
});
