import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type TestDatabase, testLog, withDatabase } from '../../../tests/support/postgres.ts';
import { inTransaction } from './database.ts';
import { createQueue, DELIVERY_DEAD_QUEUE, DELIVERY_QUEUE, type Queue } from './queue.ts';

let database: TestDatabase;
let queue: Queue;

beforeEach(async () => {
  database = await withDatabase({ migrated: false });
  queue = createQueue({ connectionString: database.connectionString, log: testLog });
  await queue.start();
}, 60_000);

afterEach(async () => {
  await queue.stop({ graceful: true, timeoutMs: 5_000 });
  await database.drop();
});

function send(deliveryId: string, options?: { startAfter?: Date; jobId?: string }) {
  return inTransaction(database.pool, (client) =>
    queue.sendInTransaction(client, deliveryId, options),
  );
}

async function jobs(): Promise<Record<string, unknown>[]> {
  const { rows } = await database.pool.query(
    `select id, name, state, retry_count, retry_limit, data, output,
            extract(epoch from start_after - now()) as wait_seconds
     from pgboss.job order by created_on`,
  );
  return rows;
}

describe('sendInTransaction', () => {
  it('commits and rolls back with the transaction, and knows a repeated id', async () => {
    const jobId = randomUUID();
    const failed = inTransaction(database.pool, async (client) => {
      await queue.sendInTransaction(client, 'a', { jobId });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await jobs()).toEqual([]);
    expect(await send('a', { jobId })).toBe(jobId);
    expect(await send('a', { jobId })).toBeNull();
    expect(await jobs()).toMatchObject([
      { id: jobId, data: { deliveryId: 'a' }, state: 'created' },
    ]);
  });

  it('works in a Kysely transaction', async () => {
    const id = await database.db
      .transaction()
      .execute((transaction) => queue.sendInTransaction(transaction, 'a'));
    expect(await jobs()).toMatchObject([{ id }]);
  });

  it('plans for later', async () => {
    await send('later', { startAfter: new Date(Date.now() + 3_600_000) });
    const [job] = await jobs();
    expect(Number(job?.wait_seconds)).toBeGreaterThan(3_500);
    const handled: string[] = [];
    queue.work(async (id) => void handled.push(id), { concurrency: 2 });
    await send('now');
    await vi.waitFor(() => expect(handled).toEqual(['now']));
  });
});

describe('work', () => {
  it('starts a job within half a second, and at once when woken', async () => {
    const startedAtMs = new Map<string, number>();
    queue.work(async (id) => void startedAtMs.set(id, performance.now()), { concurrency: 2 });
    await sleep(50);
    const sentAtMs = performance.now();
    await send('polled');
    await vi.waitFor(() => expect(startedAtMs.has('polled')).toBe(true));
    expect((startedAtMs.get('polled') ?? 0) - sentAtMs).toBeLessThan(500);
    await send('woken');
    const wokenAtMs = performance.now();
    queue.wake();
    await vi.waitFor(() => expect(startedAtMs.has('woken')).toBe(true), { interval: 5 });
    expect((startedAtMs.get('woken') ?? 0) - wokenAtMs).toBeLessThan(150);
  });

  it('lets a slow job hold back none of the others, and never exceeds its concurrency', async () => {
    const total = 500;
    await inTransaction(database.pool, async (client) => {
      await queue.sendInTransaction(client, 'slow');
      for (let n = 1; n < total; n += 1) await queue.sendInTransaction(client, `quick ${n}`);
    });
    let releaseSlow = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      releaseSlow = resolve;
    });
    const handled = new Set<string>();
    let active = 0;
    let mostActive = 0;
    const startedAtMs = performance.now();
    queue.work(
      async (id) => {
        active += 1;
        mostActive = Math.max(mostActive, active);
        await (id === 'slow' ? slow : sleep(5));
        active -= 1;
        expect(handled.has(id)).toBe(false);
        handled.add(id);
      },
      { concurrency: 8 },
    );
    await vi.waitFor(() => expect(handled.size).toBe(total - 1), { timeout: 20_000 });
    const perSecond = (total / (performance.now() - startedAtMs)) * 1_000;
    expect(perSecond).toBeGreaterThan(200);
    expect(mostActive).toBe(8);
    releaseSlow();
    await vi.waitFor(async () =>
      expect((await jobs()).every(({ state }) => state === 'completed')).toBe(true),
    );
  }, 30_000);

  it('tries again after a throw, with no value of the error kept', async () => {
    let runs = 0;
    queue.work(
      async () => {
        runs += 1;
        if (runs === 1) throw new Error('canary');
      },
      { concurrency: 1 },
    );
    await send('a');
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ state: 'retry' }]));
    const [failed] = await jobs();
    expect(failed).toMatchObject({ retry_limit: 20 });
    expect(JSON.stringify(failed)).not.toContain('canary');
    await vi.waitFor(() => expect(runs).toBe(2), { timeout: 5_000 });
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ state: 'completed' }]));
  }, 10_000);

  it('ignores a late worker whose claim has lapsed', async () => {
    await send('a');
    const [job] = await queue.boss.fetch(DELIVERY_QUEUE);
    // The supervisor takes it back, another worker fetches it …
    expect(await queue.reclaimAbandoned()).toBe(1);
    await database.pool.query('update pgboss.job set start_after = now()');
    const [again] = await queue.boss.fetch(DELIVERY_QUEUE);
    expect(again?.id).toBe(job?.id);
    // … and then the first one thaws.
    await queue.boss.complete(DELIVERY_QUEUE, job!);
    expect(await jobs()).toMatchObject([{ state: 'active' }]);
    await queue.boss.complete(DELIVERY_QUEUE, again!);
    expect(await jobs()).toMatchObject([{ state: 'completed' }]);
  });

  it('aborts the signal of a job whose claim was lost', async () => {
    let signal: AbortSignal | undefined;
    let release = (): void => undefined;
    queue.work(
      (_id, context) => {
        signal = context.signal;
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      { concurrency: 1 },
    );
    await send('a');
    await vi.waitFor(() => expect(signal).toBeDefined());
    await database.pool.query(`update pgboss.job set state = 'cancelled'`);
    await vi.waitFor(() => expect(signal?.aborted).toBe(true), { timeout: 5_000 });
    release();
  }, 10_000);

  it('puts a job that always crashes into the dead letter queue, with its data', async () => {
    await send('a');
    await database.pool.query('update pgboss.job set retry_limit = 0');
    queue.work(
      async () => {
        throw new Error('always');
      },
      { concurrency: 1 },
    );
    await vi.waitFor(async () =>
      expect(await jobs()).toContainEqual(
        expect.objectContaining({ name: DELIVERY_DEAD_QUEUE, data: { deliveryId: 'a' } }),
      ),
    );
  });
});

describe('stop', () => {
  it('waits for running jobs and takes no more', async () => {
    let isDone = false;
    const handled: string[] = [];
    queue.work(
      async (id) => {
        handled.push(id);
        await sleep(300);
        isDone = true;
      },
      { concurrency: 1 },
    );
    await send('a');
    await send('b');
    await vi.waitFor(() => expect(handled).toHaveLength(1));
    await queue.stop({ graceful: true, timeoutMs: 5_000 });
    expect(isDone).toBe(true);
    expect(handled).toHaveLength(1);
    expect((await jobs()).map(({ state }) => state).sort()).toEqual(['completed', 'created']);
  });

  it('gives back what does not end in time', async () => {
    let aborted = false;
    let release = (): void => undefined;
    queue.work(
      (_id, { signal }) =>
        new Promise<void>((resolve) => {
          release = resolve;
          signal.addEventListener('abort', () => {
            aborted = true;
          });
        }),
      { concurrency: 1 },
    );
    await send('a');
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ state: 'active' }]));
    await queue.stop({ graceful: true, timeoutMs: 100 });
    expect(aborted).toBe(true);
    expect(await jobs()).toMatchObject([{ state: 'retry' }]);
    release();
  });
});

it('starts many times at once', async () => {
  const others = Array.from({ length: 5 }, () =>
    createQueue({ connectionString: database.connectionString, log: testLog, poolMax: 1 }),
  );
  await Promise.all(others.map((other) => other.start()));
  await Promise.all(others.map((other) => other.stop({ graceful: true, timeoutMs: 1_000 })));
  const { rows } = await database.pool.query('select name from pgboss.queue order by name');
  expect(rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining([DELIVERY_QUEUE, DELIVERY_DEAD_QUEUE]),
  );
}, 20_000);
