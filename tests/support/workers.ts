import { afterEach } from 'vitest';
import type { ConnectedDestination } from '../../src/server/delivery/destinations/destination.ts';
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type WorkerOptions,
} from '../../src/server/delivery/worker.ts';
import { testLog } from './postgres.ts';
import { saleRules } from './sale-rules.ts';

/** Returns a function that creates delivery workers, which stop after each test. */
export function workersForTests(
  common: () => Pick<WorkerOptions, 'pool'> & Partial<WorkerOptions>,
): (
  destinations: readonly ConnectedDestination[],
  options?: Partial<WorkerOptions>,
) => DeliveryWorker {
  const workers: DeliveryWorker[] = [];
  afterEach(() => {
    for (const each of workers.splice(0)) each.stop();
  });
  return (destinations, options) => {
    const made = createDeliveryWorker({
      concurrency: 50,
      owner: `worker-${workers.length}`,
      log: testLog,
      alert: () => undefined,
      limits: { failures: 5, waitMinutes: 10 },
      rules: saleRules,
      random: () => 0.5,
      ...common(),
      ...options,
      destinations,
    });
    workers.push(made);
    return made;
  };
}
