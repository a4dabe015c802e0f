/** Tests delivery workers that run at the same time, and a worker that stops. */
import { afterEach, describe, expect, test } from 'vitest';
import type {
  ConnectedDestination,
  SendResult,
} from '../../src/server/delivery/destinations/destination.ts';
import { type RunningDelivery, startDelivery } from '../../src/server/delivery/index.ts';
import { controlled, countOpen, delivered, never, until } from '../support/delivery.ts';
import { deliveryForTests, MINUTE_MS } from '../support/delivery-site.ts';
import { jobsFor } from '../support/job-clock.ts';
import { testLog } from '../support/postgres.ts';
import { saleRules } from '../support/sale-rules.ts';

const { pool, advance, worker, insertMany } = await deliveryForTests();
const running: RunningDelivery[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop(0);
});

async function start(
  destinations: readonly ConnectedDestination[],
  options: { concurrency?: number } = {},
): Promise<RunningDelivery> {
  const jobs = jobsFor(pool);
  const started = await startDelivery({
    jobs,
    pool,
    destinations,
    concurrency: 50,
    log: testLog,
    alert: () => undefined,
    limits: { failures: 5, waitMinutes: 10 },
    rules: saleRules,
    ...options,
  });
  const stop = async (timeoutMs: number) => {
    await started.stop(timeoutMs);
    await jobs.stop();
  };
  running.push({ ...started, stop });
  return { ...started, stop };
}

async function states(): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from deliveries group by state',
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

describe('workers that lease at the same time', () => {
  test('never lease the same delivery', async () => {
    await insertMany(200);
    const sent: string[] = [];
    const counting = controlled('ingest', async ({ leadId }) => {
      sent.push(leadId);
      return delivered;
    });
    const workers = [1, 2, 3, 4].map((each) =>
      worker([counting], { owner: `worker-${each}`, concurrency: 20 }),
    );
    while ((await countOpen(pool)) > 0) {
      const looks = await Promise.all([...workers, ...workers].map((each) => each.begin()));
      await Promise.all(looks.flatMap(({ sends }) => sends));
    }
    expect(new Set(sent).size).toBe(200);
    expect(sent).toHaveLength(200);
  });

  test('lease at most as many deliveries as the destination has free slots', async () => {
    await insertMany(30, { destination: 'one' });
    await insertMany(30, { destination: 'two' });
    const one = worker([controlled('one', never), controlled('two', async () => delivered)], {
      concurrency: 7,
    });
    const { sends } = await one.begin();
    expect(sends).toHaveLength(14);
    let ended = 0;
    for (const send of sends) void send.then(() => (ended += 1));
    await until(async () => ended === 7);
    // Requests to destination one never end, so only destination two has free slots.
    expect((await one.begin()).sends).toHaveLength(7);
    await until(async () => (await states()).delivered === 14);
    expect(await states()).toEqual({ sending: 7, waiting: 39, delivered: 14 });
  });
});

describe('a process that stops while all of its slots are busy', () => {
  /** Returns a destination whose requests last until the test ends them. */
  function busy() {
    const sends: { leadId: string; end(result: SendResult): void }[] = [];
    const destination = controlled('ingest', ({ leadId }, signal) => {
      return new Promise<SendResult>((resolve) => {
        sends.push({ leadId, end: resolve });
        signal?.addEventListener('abort', () =>
          resolve({ outcome: 'unknown', error: 'Ended early', durationMs: 1 }),
        );
      });
    });
    return { sends, destination };
  }

  /** Starts another process a minute later, and expects that this process sends all deliveries. */
  async function expectTakenOver(total: number): Promise<string[]> {
    const sent: string[] = [];
    const next = controlled('ingest', async ({ leadId }) => {
      sent.push(leadId);
      return delivered;
    });
    await advance(MINUTE_MS);
    await start([next]);
    await until(async () => (await states()).delivered === total);
    return sent;
  }

  test('leases no delivery while the process waits for requests in progress', async () => {
    await insertMany(12);
    const { sends, destination } = busy();
    const delivery = await start([destination], { concurrency: 5 });
    await until(async () => sends.length === 5);
    let isStopped = false;
    const stopped = delivery.stop(60_000).finally(() => {
      isStopped = true;
    });
    await insertMany(1);
    expect(isStopped).toBe(false);
    for (const { end } of sends) end(delivered);
    await stopped;
    expect(await states()).toEqual({ delivered: 5, waiting: 8 });
    expect(sends).toHaveLength(5);
    expect(await expectTakenOver(13)).toHaveLength(8);
  });

  test('aborts requests that last too long', async () => {
    await insertMany(12);
    const { sends, destination } = busy();
    const delivery = await start([destination], { concurrency: 5 });
    await until(async () => sends.length === 5);
    await delivery.stop(500);
    // On a busy machine, the worker may store the outcomes only after `stop` has returned.
    await until(async () => (await states()).retrying === 5);
    expect(await states()).toEqual({ retrying: 5, waiting: 7 });
    expect(sends).toHaveLength(5);
    const sent = await expectTakenOver(12);
    expect(sent).toHaveLength(12);
    expect(sent).toEqual(expect.arrayContaining(sends.map(({ leadId }) => leadId)));
  });
});
