/** Starts and stops the delivery loop. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Jobs } from '../platform/database/jobs.ts';
import { inTime } from '../platform/in-time.ts';
import { choiceJob } from './choose.ts';
import { noteSettings } from './pause.ts';
import { createDeliveryWorker, type WorkerOptions } from './worker.ts';

/** Interval of polls for due deliveries. `wake()` starts a poll at once for a new lead. */
const POLL_MS = 5_000;
/** Pause until the next poll if deliveries were just leased, because more may be due. */
const BUSY_MS = 200;
/** Pause before a poll during a backlog, so that one poll fills several free slots. */
const REFILL_MS = 2;
/** Interval at which `park` looks for deliveries that a dead worker left unfinished. */
const PARK_EVERY_MS = 10_000;
/** Interval of checks of the destinations' health. */
const WATCH_EVERY_MS = 10_000;
/** Maximum time for storing results after the sending was aborted. */
const ABORT_MS = 2_000;

type DeliveryOptions = Omit<WorkerOptions, 'owner'> & {
  jobs: Jobs;
  /** Names of the destinations whose settings are missing. */
  off?: readonly string[];
};

export type RunningDelivery = Awaited<ReturnType<typeof startDelivery>>;

/** Sends due deliveries until `stop` is called. Many processes may share one database. */
export async function startDelivery(options: DeliveryOptions) {
  const { jobs, pool, log } = options;
  await noteSettings(pool, {
    on: options.destinations.map(({ name }) => name),
    off: options.off ?? [],
  });
  const worker = createDeliveryWorker({ ...options, owner: `${process.pid}-${randomUUID()}` });
  const sends = new Set<Promise<void>>();
  /** True if a destination had no free slot at the last poll. The next slot is filled at once. */
  let hasBacklog = false;
  // Skips the first health check, so that leads which waited during a stop cause no alert.
  let isStarting = true;

  async function look(): Promise<number | undefined> {
    if (hasBacklog) await sleep(REFILL_MS);
    const { sends: begun, mayBeMore } = await worker.begin();
    hasBacklog = mayBeMore;
    for (const send of begun) {
      sends.add(send);
      void send.finally(() => {
        sends.delete(send);
        if (hasBacklog || sends.size === 0) sending.wake();
      });
    }
    return begun.length > 0 ? BUSY_MS : POLL_MS;
  }

  const sending = jobs.start({
    name: 'delivery',
    everyMs: POLL_MS,
    isLocal: true,
    run: look,
  });
  const others = [
    jobs.start(
      choiceJob({
        destinations: options.destinations.map(({ name }) => name),
        chosen: () => sending.wake(),
      }),
    ),
    jobs.start({
      name: 'destinations',
      everyMs: WATCH_EVERY_MS,
      isLocal: true,
      async run() {
        if (!isStarting) await worker.watch();
        isStarting = false;
      },
    }),
    jobs.start({
      name: 'parking',
      everyMs: PARK_EVERY_MS,
      run: (turn) => worker.park(turn.transaction),
    }),
  ];
  let stopped: Promise<void> | undefined;
  return {
    /** Looks for due deliveries now. Call `wake` after a commit that adds deliveries. */
    wake: () => sending.wake(),
    /** Stops sending. Waits for running deliveries, and aborts them after `timeoutMs`. */
    stop(timeoutMs: number): Promise<void> {
      stopped ??= (async () => {
        await inTime(sending.stop(), ABORT_MS);
        const isDone = Promise.allSettled([...sends]).then(() => true);
        if (!(await inTime(isDone, timeoutMs))) {
          log.warn({ sends: sends.size }, 'Aborting sends that did not end in time');
          worker.abort();
          await inTime(isDone, ABORT_MS);
        }
        await inTime(Promise.all(others.map((each) => each.stop())), ABORT_MS);
        worker.stop();
      })();
      return stopped;
    },
  };
}
