import { createHash } from 'node:crypto';
import type pg from 'pg';
import { DELIVERY_QUEUE, type Queue } from './queue.ts';

/** Adds the jobs of several deliveries to the caller's transaction, in one statement. */
export type SendJobs = (client: pg.ClientBase, deliveryIds: readonly string[]) => Promise<void>;

/** Through pg-boss itself; prepared, since parsing its statement takes longer than running it. */
export function createSendJobs(queue: Pick<Queue, 'boss'>): SendJobs {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    let name = names.get(text);
    if (name === undefined) {
      name = `jobs_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
      names.set(text, name);
    }
    return name;
  };
  return async (client, deliveryIds) => {
    if (deliveryIds.length === 0) return;
    const jobs = deliveryIds.map((deliveryId) => ({ data: { deliveryId } }));
    await queue.boss.insert(DELIVERY_QUEUE, jobs, {
      db: { executeSql: (text, values) => client.query({ name: nameOf(text), text, values }) },
    });
  };
}
